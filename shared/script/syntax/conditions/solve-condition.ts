import type { StoryValue } from '../../../model/stage.ts';
import { type ExpressionToken, scanExpression } from '../expression.ts';
import { evaluateAssignment, evaluateCondition, type VariableValue } from './evaluate.ts';

/** Limits the search, because a condition can be of any length: values that are not among the first tries are not found. */
const MAX_TRIES = 600;
const MAX_NAMES = 8;
const MAX_LENGTH = 300;
/** A name that a script can assign to. */
const NAME = /^[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*$/;

const OPERATORS = /^(?:[<>]=?|[!=]==?|[-+*/%])$/;

/** A value that is known only while the game runs, such as a random number. */
export const UNKNOWN = Symbol('unknown');
export type KnownValues = ReadonlyMap<string, VariableValue | typeof UNKNOWN>;

/**
 * Returns the values that have to be set so that the engine evaluates the condition as `holds` says: of the fewest variables, and
 * nearest to what they are. Empty if `values` are enough; null if no values are found. A variable that is not in `values` is not
 * set. `budget`: how many values may be tried, shared by several calls.
 */
export function solveCondition(
  condition: string,
  holds: boolean,
  values: KnownValues,
  budget = { left: MAX_TRIES },
): ReadonlyMap<string, StoryValue> | null {
  const tokens = scanExpression(condition);
  const names = [...new Set(tokens.filter(isVariable).map(({ text }) => text))];
  const isTrue = (set: ReadonlyMap<string, StoryValue>) =>
    evaluateCondition(condition, (name) => set.get(name) ?? toKnown(values.get(name))) === holds;
  const unknown = names.filter((name) => values.get(name) === UNKNOWN);
  if (unknown.length === 0 && isTrue(new Map())) return new Map();
  const candidates = new Map(names.map((name) => [name, findCandidates(name, tokens, values)]));
  const settable = names.filter((name) => NAME.test(name));
  if (settable.length > MAX_NAMES || condition.length > MAX_LENGTH) return null;
  const end = Math.max(0, budget.left - MAX_TRIES);
  for (let count = Math.max(1, unknown.length); count <= settable.length; count += 1) {
    let best: { set: ReadonlyMap<string, StoryValue>; distance: number } | null = null;
    for (const some of subsetsOf(settable, count)) {
      if (unknown.some((name) => !some.includes(name))) continue;
      for (const set of combinationsOf(some, candidates)) {
        if (budget.left <= end) return best?.set ?? null;
        budget.left -= 1;
        const distance = findDistance(set, values);
        if ((best === null || distance < best.distance) && isTrue(set)) best = { set, distance };
      }
    }
    if (best) return best.set;
  }
  return null;
}

function isVariable({ kind, text }: ExpressionToken): boolean {
  return kind === 'name' && text !== 'true' && text !== 'false';
}

const toKnown = (value: VariableValue | typeof UNKNOWN | undefined) => (value === UNKNOWN ? undefined : value);

/**
 * Returns values that can decide a condition: those that it names, their neighbours, and both of a switch, which come first for a
 * name that is compared with nothing.
 */
function findCandidates(name: string, tokens: readonly ExpressionToken[], values: KnownValues): StoryValue[] {
  const isCompared = tokens.some(
    ({ text }, at) =>
      text === name && [tokens[at - 1], tokens[at + 1]].some((beside) => OPERATORS.test(beside?.text ?? '')),
  );
  const written = tokens.flatMap(({ kind, text }, at): StoryValue[] => {
    if (kind === 'string') return [text.slice(1, -1)];
    if (kind !== 'number') return [];
    const value = tokens[at - 1]?.text === '-' ? -Number(text) : Number(text);
    return [value, value + 1, value - 1];
  });
  const others = tokens.flatMap((token): StoryValue[] => {
    const value = isVariable(token) && token.text !== name ? toKnown(values.get(token.text)) : undefined;
    if (typeof value === 'number') return [value, value + 1, value - 1];
    return value === undefined ? [] : [value];
  });
  const [numbers, switches] = [
    [1, 0],
    [true, false],
  ];
  const found = new Set(
    isCompared ? [...written, ...others, ...numbers, ...switches] : [...switches, ...numbers, ...written, ...others],
  );
  return [...found].filter((value) => isAssignable(name, value));
}

/** Returns whether the engine takes the value from a script as it is. */
function isAssignable(name: string, value: StoryValue): boolean {
  const assigned = evaluateAssignment(toAssignment(name, value), () => undefined);
  return assigned.kind === 'set' && assigned.value === value && !/[;\n]| -/.test(String(value));
}

/** The content of a `setVar`. */
export function toAssignment(name: string, value: StoryValue): string {
  return `${name}=${value}`;
}

function* subsetsOf(names: readonly string[], count: number, from = 0): Generator<string[]> {
  if (count === 0) {
    yield [];
    return;
  }
  for (let at = from; at <= names.length - count; at += 1) {
    for (const rest of subsetsOf(names, count - 1, at + 1)) yield [names[at] as string, ...rest];
  }
}

function* combinationsOf(
  names: readonly string[],
  candidates: ReadonlyMap<string, readonly StoryValue[]>,
): Generator<ReadonlyMap<string, StoryValue>> {
  const lists = names.map((name) => candidates.get(name) ?? []);
  const total = lists.reduce((product, { length }) => product * length, 1);
  for (let number = 0; number < total; number += 1) {
    let rest = number;
    const set = new Map<string, StoryValue>();
    for (const [at, list] of lists.entries()) {
      set.set(names[at] as string, list[rest % list.length] as StoryValue);
      rest = Math.floor(rest / list.length);
    }
    yield set;
  }
}

/** Prefers numbers near the present one, and values of the same kind. A value that is not set counts as zero or false. */
function findDistance(set: ReadonlyMap<string, StoryValue>, values: KnownValues): number {
  let distance = 0;
  for (const [name, value] of set) {
    // What is not known is a random number.
    const now = values.get(name) === UNKNOWN ? 0 : toKnown(values.get(name));
    if (now !== undefined && typeof now !== typeof value) distance += 2_000;
    else if (typeof value === 'number') distance += Math.min(1_000, Math.abs(Number(now ?? 0) - value));
    else if (value !== (now ?? false)) distance += 1;
  }
  return distance;
}
