/** A token of a condition or a calculation. Columns are offsets into the scanned text, plus `offset`. */
export interface ExpressionToken {
  kind: 'number' | 'string' | 'name' | 'operator' | 'open' | 'close';
  text: string;
  start: number;
  end: number;
}

const TOKEN =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w$\u0080-\uffff])|[\w$.\u0080-\uffff"']+|===|!==|==|!=|>=|<=|&&|\|\||[()[\]]|[^\s]/g;

/** Splits an expression into tokens; linear, never throws. */
export function scanExpression(text: string, offset = 0): ExpressionToken[] {
  const tokens: ExpressionToken[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const [part] = match;
    tokens.push({
      kind: kindOf(part),
      text: part,
      start: offset + match.index,
      end: offset + match.index + part.length,
    });
  }
  return tokens;
}

function kindOf(part: string): ExpressionToken['kind'] {
  const first = part.charCodeAt(0);
  if (first === 34 || first === 39) return part.length > 1 && part.endsWith(part[0] as string) ? 'string' : 'name';
  if ((first >= 48 && first <= 57) || (first === 46 && part.length > 1)) {
    return /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(part) ? 'number' : 'name';
  }
  if (part === '(' || part === '[') return 'open';
  if (part === ')' || part === ']') return 'close';
  if (first === 36 || first === 95 || first >= 128 || (first >= 65 && first <= 90) || (first >= 97 && first <= 122))
    return 'name';
  return 'operator';
}

/** The first token that the engine's evaluator rejects, or null when the expression compiles. */
export function findSyntaxError(tokens: readonly ExpressionToken[]): ExpressionToken | null {
  const open: string[] = [];
  let wantsOperand = true;
  let last: ExpressionToken | null = null;
  for (const token of tokens) {
    const before: ExpressionToken | null = last;
    last = token;
    switch (token.kind) {
      case 'number':
      case 'string':
      case 'name':
        if (!wantsOperand) return token;
        wantsOperand = false;
        break;
      case 'open':
        open.push(token.text);
        // After an operand a bracket is a call or an index; the engine's evaluator compiles both.
        wantsOperand = true;
        break;
      case 'close':
        if (open.pop() !== (token.text === ')' ? '(' : '[')) return token;
        if (wantsOperand && before?.kind !== 'open') return token;
        wantsOperand = false;
        break;
      default:
        if (wantsOperand && !['-', '+', '!'].includes(token.text)) return token;
        if (!wantsOperand && token.text === '!') return token;
        if (!BINARY.has(token.text) && token.text !== '!') return token;
        wantsOperand = true;
    }
  }
  return wantsOperand || open.length > 0 ? last : null;
}

const BINARY = new Set([
  '+',
  '-',
  '*',
  '/',
  '%',
  '==',
  '!=',
  '===',
  '!==',
  '>',
  '<',
  '>=',
  '<=',
  '&&',
  '||',
  ',',
  '?',
  ':',
  '|',
]);
