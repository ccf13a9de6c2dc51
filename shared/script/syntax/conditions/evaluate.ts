import { type ExpressionToken, findSyntaxError, scanExpression } from '../expression.ts';

export type VariableValue = string | number | boolean;

/** Returns the value of a variable; undefined for a variable that is not set. */
export type LookUp = (name: string) => VariableValue | undefined;

/** Maximum nesting depth; the engine's evaluator has one, too. */
const MAX_DEPTH = 100;
const MAX_LENGTH = 10_000;

/** Thrown inside and caught in the two exported functions, where the engine's evaluator reports an error. */
class Unreadable extends Error {}

/** True when the engine runs a line with this `-when`, or shows an option with this condition. Never throws. */
export function evaluateCondition(text: string, lookUp: LookUp): boolean {
  if (text.trim() === '' || text.length > MAX_LENGTH) return false;
  const tokens = scanExpression(text);
  if (findSyntaxError(tokens) !== null) return false;
  const values = tokens.map((token, index) => {
    if (token.kind !== 'name') return undefined;
    // The engine splits only at + - * / ( ) > < = ! & |, so a name next to % is not looked up.
    const isUnread = tokens[index - 1]?.text === '%' || tokens[index + 1]?.text === '%';
    return isUnread ? undefined : lookUp(token.text);
  });
  try {
    return Boolean(new Evaluation(tokens, values, isReadable).run());
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

/** True for a name that the engine's lexer can read. */
function isReadable(token: ExpressionToken): boolean {
  return /^[A-Za-z_$][\w$.]*$/.test(token.text);
}

/** Result of a `setVar`. `ignored`: no effect. `stuck`: the story stops at the line permanently. */
export type Assignment =
  | { kind: 'set'; name: string; value: VariableValue | undefined }
  | { kind: 'ignored' }
  | { kind: 'stuck' };

/** Evaluates an assignment as the engine does. `random` returns numbers from 0 (inclusive) to 1 (exclusive). */
export function evaluateAssignment(content: string, lookUp: LookUp, random: () => number = Math.random): Assignment {
  const parts = content.split('=', 2);
  const [name, text] = parts;
  if (name === undefined || text === undefined) return { kind: 'ignored' };
  const call = /^\s*([A-Za-z_$][\w$]*)\s*\((.*)\)\s*$/s.exec(text);
  if (call !== null) return callFunction(name, { callee: call[1] ?? '', inside: call[2] ?? '' }, random);
  return { kind: 'set', name, value: toAssigned(text, lookUp) };
}

function callFunction(name: string, call: { callee: string; inside: string }, random: () => number): Assignment {
  const inside = call.inside.trim();
  if (
    inside.endsWith(',') ||
    inside.startsWith(',') ||
    (inside !== '' && findSyntaxError(scanExpression(inside)) !== null)
  ) {
    return { kind: 'stuck' };
  }
  if (call.callee !== 'random') return { kind: 'set', name, value: undefined };
  const given = inside === '' ? [] : inside.split(',').map((part) => part.trim());
  const numbers = given.filter((part) => part !== 'true' && part !== 'false').map(Number);
  const [first, second] = numbers;
  const low = second === undefined ? 0 : (first ?? 0);
  const high = second ?? first ?? 1;
  const isFloating = given.at(-1) === 'true' || !Number.isInteger(low) || !Number.isInteger(high);
  const value = isFloating ? low + random() * (high - low) : low + Math.floor(random() * (high - low + 1));
  return { kind: 'set', name, value };
}

function toAssigned(text: string, lookUp: LookUp): VariableValue {
  if (/[+\-*/()]/.test(text)) return calculate(text, lookUp);
  if (/true/.test(text)) return true;
  if (/false/.test(text)) return false;
  if (text.trim() === '') return '';
  if (!Number.isNaN(Number(text))) return Number(text);
  return lookUp(text.trim()) ?? text;
}

function calculate(text: string, lookUp: LookUp): VariableValue {
  if (text.length > MAX_LENGTH) return '';
  const tokens = scanExpression(text);
  if (findSyntaxError(tokens) !== null) return '';
  const parts = text.split(/[+\-*/()]/).map((part) => part.trim());
  const values = tokens.map((token) => {
    if (token.kind !== 'name') return undefined;
    // Only a name alone between operators is looked up; an unset one evaluates to its own name.
    return parts.includes(token.text) ? (lookUp(token.text) ?? token.text) : undefined;
  });
  try {
    const value = new Evaluation(tokens, values, isReadable).run();
    return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : '';
  } catch (error) {
    if (error instanceof Unreadable) return '';
    throw error;
  }
}

type Value = VariableValue | undefined;

const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ['||', 1],
  ['&&', 2],
  ['==', 3],
  ['!=', 3],
  ['===', 3],
  ['!==', 3],
  ['<', 4],
  ['>', 4],
  ['<=', 4],
  ['>=', 4],
  ['+', 5],
  ['-', 5],
  ['*', 6],
  ['/', 6],
  ['%', 6],
]);

/** Precedence climbing over the tokens of one expression. */
class Evaluation {
  readonly #tokens: readonly ExpressionToken[];
  readonly #values: readonly Value[];
  readonly #isReadable: (token: ExpressionToken) => boolean;
  #at = 0;
  #depth = 0;

  constructor(
    tokens: readonly ExpressionToken[],
    values: readonly Value[],
    isReadable: (token: ExpressionToken) => boolean,
  ) {
    this.#tokens = tokens;
    this.#values = values;
    this.#isReadable = isReadable;
  }

  run(): Value {
    const value = this.#binary(0);
    if (this.#at < this.#tokens.length) throw new Unreadable();
    return value;
  }

  #binary(least: number): Value {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Unreadable();
    let left = this.#unary();
    for (;;) {
      const operator = this.#tokens[this.#at]?.text ?? '';
      const power = PRECEDENCE.get(operator);
      if (power === undefined || power <= least) break;
      this.#at += 1;
      left = combine(operator, left, this.#binary(power));
    }
    this.#depth -= 1;
    return left;
  }

  #unary(): Value {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Unreadable();
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Unreadable();
    const value = this.#operand(token);
    this.#depth -= 1;
    // There are no functions to call and no lists to index.
    if (this.#tokens[this.#at]?.kind === 'open') throw new Unreadable();
    return value;
  }

  #operand(token: ExpressionToken): Value {
    const index = this.#at;
    this.#at += 1;
    if (token.kind === 'number') return Number(token.text);
    if (token.kind === 'string') return token.text.slice(1, -1).replace(/\\(.)/g, '$1');
    if (token.text === '!') return !this.#unary();
    if (token.text === '-') return -toNumber(this.#unary());
    if (token.text === '+') return toNumber(this.#unary());
    if (token.text === '(') {
      const value = this.#binary(0);
      if (this.#tokens[this.#at]?.text !== ')') throw new Unreadable();
      this.#at += 1;
      return value;
    }
    if (token.kind !== 'name') throw new Unreadable();
    if (token.text === 'true' || token.text === 'false') return token.text === 'true';
    if (!this.#isReadable(token)) throw new Unreadable();
    return this.#values[index];
  }
}

/** The engine's evaluator treats undefined as 0 in sums. */
const toNumber = (value: Value): number => (value === undefined ? 0 : Number(value));

function combine(operator: string, left: Value, right: Value): Value {
  switch (operator) {
    case '||':
      return left || right;
    case '&&':
      return left && right;
    case '+':
      if (left === undefined) return right;
      if (right === undefined) return left;
      return (left as number) + (right as number);
    case '-':
      return toNumber(left) - toNumber(right);
    case '*':
      return Number(left) * Number(right);
    case '/':
      return Number(left) / Number(right);
    case '%':
      return Number(left) % Number(right);
    default:
      return compare(operator, left, right);
  }
}

function compare(operator: string, left: Value, right: Value): boolean {
  switch (operator) {
    case '===':
      return left === right;
    case '!==':
      return left !== right;
    case '==':
      // biome-ignore lint/suspicious/noDoubleEquals: the engine compares "20" and 20 as equal
      return left == right;
    case '!=':
      // biome-ignore lint/suspicious/noDoubleEquals: the engine compares "20" and 20 as equal
      return left != right;
    default:
      if (left === undefined || right === undefined) return false;
      return operator === '<'
        ? left < right
        : operator === '>'
          ? left > right
          : operator === '<='
            ? left <= right
            : left >= right;
  }
}
