import type { WrittenOption } from './static-routes.ts';

/**
 * Returns for each shown option its place in the menu as written. The engine leaves out options whose condition is false, and
 * keeps the order. Options that match none keep the place at which they are shown.
 */
export function matchOptions(shown: readonly string[], written: readonly WrittenOption[]): number[] {
  if (shown.length === written.length) return shown.map((_, at) => at);
  let from = 0;
  return shown.map((text, at) => {
    const found = written.findIndex((option, place) => place >= from && isSame(text, option.text));
    if (found < 0) return at;
    from = found + 1;
    return found;
  });
}

/** Compares without escapes and blanks; a name in braces stands for any text. */
function isSame(shown: string, written: string): boolean {
  const parts = toPlain(written).split(/\{[^}]*\}/);
  const text = toPlain(shown);
  if (parts.length === 1) return text === parts[0];
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

const toPlain = (text: string): string => text.replace(/\\(?=[\\|:,;.])/g, '').replace(/\s+/g, '');
