const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Gives a rewritten text the byte order mark and the line endings of the one it replaces: models and editors write bare
 * line feeds, and a file whose every line “changed” cannot be reviewed. A text that has carriage returns of its own, and
 * a file that mixes both, are left alone.
 */
export function keepTextStyle(before: string | null, after: string): string {
  if (before === null) return after;
  let text = after;
  if (usesCarriageReturns(before) && !text.includes('\r')) text = text.replaceAll('\n', '\r\n');
  if (before.startsWith(BYTE_ORDER_MARK) && text !== '' && !text.startsWith(BYTE_ORDER_MARK)) {
    text = BYTE_ORDER_MARK + text;
  }
  return text;
}

/** True when every line of the text ends with carriage return and line feed. */
export function usesCarriageReturns(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);
}
