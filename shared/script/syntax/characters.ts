/** Non-ASCII characters that `String.prototype.trim` removes. */
export function isWideBlank(code: number): boolean {
  return (
    code === 0xa0 ||
    code === 0x3000 ||
    code === 0xfeff ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x1680 ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f
  );
}

/** Replaces `\;` by `;`, the one escape that the engine handles before it parses a line. */
export function undoSemicolons(text: string): string {
  return text.indexOf('\\;') < 0 ? text : text.replaceAll('\\;', ';');
}

/** First offset in `[from, to]` that is not a blank; blanks are the characters that `trim` removes. */
export function skipBlanks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** End of the text before `to` without trailing blanks, at least `from`. */
export function skipBlanksBack(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isBlank(code: number): boolean {
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : isWideBlank(code);
}
