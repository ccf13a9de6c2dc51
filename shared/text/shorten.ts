/** Returns at most `most` UTF-16 units of a text; a longer one ends with an ellipsis, and no character is cut in two. */
export function shorten(text: string, most: number): string {
  return text.length > most
    ? `${text
        .slice(0, Math.max(0, most - 1))
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
    : text;
}
