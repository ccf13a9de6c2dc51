import { say } from '../../../i18n/diagnostics.ts';
import { type ExpressionToken, findSyntaxError, scanExpression } from '../../syntax/expression.ts';
import { type LineReport, replaceFix } from '../../syntax/line-report.ts';
import { type Span, whyNotCallable } from './variables.ts';

const NEVER = say('notes.neverHolds');

const SIMPLE_COMPARISON = /^(?!(?:true|false|not)\b)([A-Za-z][\w.]*)(?:[=!]==?|[<>]=?)\d+$/;

/** Checks a condition of `-when` or of an option: the engine evaluates one that it cannot parse to false. */
export function checkCondition(span: Span, report: LineReport): void {
  const { text, start, end } = span;
  if (text.trim() === '') {
    report.add('empty-condition', Math.max(0, start - 1), Math.max(start, end));
    return;
  }
  if (text.length > 10_000) return;
  // Fast path for the most common form: one variable compared with one number.
  const simple = SIMPLE_COMPARISON.exec(text);
  if (simple !== null) {
    const name = simple[1] as string;
    report.refer('condition', name, start, start + name.length);
    return;
  }
  const tokens = scanExpression(text, start);
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'operator') {
      if (token.text === '=' || token.text === '＝') {
        report.add('condition-assignment', token.start, token.end, {
          fixes: [replaceFix(token.start, token.end, '==')],
        });
        return;
      }
      if (token.text === '&' || token.text === '|') {
        addConditionSyntax(token, report, token.text + token.text);
        return;
      }
    }
    if (token.kind === 'name') {
      const plain = /^(and|or|not)$/i.exec(token.text)?.[1]?.toLowerCase();
      if (plain !== undefined && isWordOperator(tokens, index, plain)) {
        addConditionSyntax(token, report, plain === 'and' ? '&&' : plain === 'or' ? '||' : '!');
        return;
      }
    }
  }
  const broken = findSyntaxError(tokens);
  if (broken !== null) {
    addConditionSyntax(broken, report, null);
    return;
  }
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const isRight = before !== undefined && /^[!=]==?$/.test(before.text);
    if (token.kind === 'string' && isRight) report.refer('compared-text', token.text, token.start, token.end);
    if (token.kind !== 'name' || token.text === 'true' || token.text === 'false') continue;
    if (tokens[index + 1]?.text === '(') {
      report.add('unknown-function', token.start, token.end, {
        values: { why: whyNotCallable(token.text, 'condition'), effect: NEVER },
      });
      continue;
    }
    if (!/[A-Za-z]/.test(token.text)) {
      if (isRight) report.refer('compared-text', token.text, token.start, token.end, { note: 'bare' });
      else {
        report.refer('condition', token.text, token.start, token.end, { note: 'known' });
        report.add('non-ascii-expression', token.start, token.end, { values: { name: token.text, effect: NEVER } });
      }
      continue;
    }
    if (tokens[index + 1]?.text === '%') {
      report.add('condition-syntax', token.start, tokens[index + 1]?.end ?? token.end, {
        severity: 'warning',
        values: {
          part: `${token.text}%`,
          suggestion: say('notes.percent', { variable: token.text }),
        },
        fixes: [replaceFix(token.start, token.end, `(${token.text})`)],
      });
    }
    report.refer(isRight ? 'comparison' : 'condition', token.text, token.start, token.end);
  }
}

function isWordOperator(tokens: readonly ExpressionToken[], index: number, word: string): boolean {
  const next = tokens[index + 1];
  const before = tokens[index - 1];
  const hasOperand =
    next !== undefined &&
    (next.kind === 'name' || next.kind === 'number' || next.kind === 'open' || next.kind === 'string');
  return hasOperand && (word === 'not' || (before !== undefined && before.kind !== 'operator'));
}

function addConditionSyntax(token: ExpressionToken, report: LineReport, plain: string | null): void {
  report.add('condition-syntax', token.start, token.end, {
    values: {
      part: token.text,
      suggestion: plain === null ? '' : say('notes.writePlain', { plain }),
    },
    ...(plain !== null && { fixes: [replaceFix(token.start, token.end, plain)] }),
  });
}
