import type { StoryValue } from '../../../../shared/model/stage.ts';

/** Names that the engine's objects have already: an assignment would break every later look-up, or is dropped. */
const RESERVED = new Set(['__proto__', 'hasOwnProperty', 'constructor', 'toString', 'valueOf']);

/** A function that the engine does not know: it gives the variable no value. */
const UNSET = 'unset()';

/**
 * Returns the statement that gives a variable exactly this value, or with null none; null for a name that no statement can assign. A text is
 * written as an expression with all characters but letters and digits escaped: the engine would read operators, names of
 * variables and the words true and false in it.
 */
export function toAssignment(name: string, value: StoryValue | null, isGlobal: boolean): string | null {
  if (!/^[^\s=;:{}\\\-|]{1,200}$/u.test(name) || RESERVED.has(name)) return null;
  return `setVar:${name}=${value === null ? UNSET : toExpression(value)}${isGlobal ? ' -global' : ''};`;
}

function toExpression(value: StoryValue): string {
  if (typeof value === 'boolean') return String(value);
  // A minus sign makes the engine evaluate an expression, where 1e-7 is one.
  if (typeof value === 'number') return value < 0 ? `(${value})` : String(value);
  const escaped = value.replace(/[^A-Za-z0-9]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `("${escaped}")`;
}
