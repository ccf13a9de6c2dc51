/** Control and format characters besides the line break, such as those that reverse the direction of writing. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/** Words of ASCII with one space between them: by far the most, and nothing of them changes. */
const ORDINARY = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/** Returns hostile text as one line of at most `limit` characters, without control and direction characters. */
export function toPlainLine(text: string, limit: number): string {
  if (text.length <= limit && ORDINARY.test(text)) return text;
  // Cut first: only what is kept costs time.
  return bound(
    text
      .slice(0, 4 * limit)
      .replace(/\s+/g, ' ')
      .replace(CONTROL, '')
      .trim(),
    limit,
  );
}

/** Returns a line of hostile text between quotation marks, which it cannot close itself. */
export function toQuotation(line: string): string {
  return `"${line.replaceAll('"', "'")}"`;
}

/** Returns hostile text of several lines without control characters, and without pictures that a page would load. */
export function toPlainText(text: string, limit: number): string {
  const kept = text.slice(0, limit).replaceAll('\r\n', '\n').replaceAll('\t', '  ');
  const clean = kept
    .split('\n')
    .map((line) => line.replace(CONTROL, ''))
    .join('\n');
  return clean
    .replace(/!\[([^\]\n]{0,200})\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,200}\])/g, '[picture: $1]')
    .replace(/<\s*(?:img|video|audio|iframe|object|embed|script|link)\b[^>\n]{0,2000}>/gi, '[left out]')
    .toWellFormed();
}

function bound(text: string, limit: number): string {
  return (text.length > limit ? `${text.slice(0, limit - 1)}…` : text).toWellFormed();
}
