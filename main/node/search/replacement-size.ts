const TOKEN = /\$(?:\$|&|`|'|\d{1,2})/g;
/** Without a named group in the pattern `$<` is literal text. */
const NAMED_TOKEN = /\$(?:\$|&|`|'|\d{1,2}|<[^>]*>)/g;

/**
 * Returns a function that computes the length of the text that `String.prototype.replace` would insert for a match, for a
 * template with `$&`, `$1` and so on, without creating it. Pure; runs in the search thread.
 */
export function createReplacementSize(template: string): (match: RegExpMatchArray) => number {
  const plain = toParts(template, TOKEN);
  const named = toParts(template, NAMED_TOKEN);
  return (match) => {
    const { letters, counts } = match.groups === undefined ? plain : named;
    let size = letters;
    for (const [part, count] of counts) size += count * sizeOf(part, match);
    return size;
  };
}

/** Returns the number of literal letters, and how often each token occurs: it may be a million times. */
function toParts(template: string, token: RegExp): { letters: number; counts: ReadonlyMap<string, number> } {
  const counts = new Map<string, number>();
  let letters = template.length;
  for (const part of template.match(token) ?? []) {
    letters -= part.length;
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return { letters, counts };
}

function sizeOf(part: string, match: RegExpMatchArray): number {
  const { index = 0, input = '', groups } = match;
  const [whole] = match;
  switch (part[1]) {
    case '$':
      return 1;
    case '&':
      return whole.length;
    case '`':
      return index;
    case "'":
      return input.length - index - whole.length;
    case '<':
      return groups?.[part.slice(2, -1)]?.length ?? 0;
    default:
      return sizeOfGroup(part.slice(1), match);
  }
}

/** `$12` is the twelfth group where it exists, else the first and a literal 2; without a first group it is literal. */
function sizeOfGroup(digits: string, match: RegExpMatchArray): number {
  const isGroup = (number: number) => number > 0 && number < match.length;
  if (isGroup(Number(digits))) return match[Number(digits)]?.length ?? 0;
  const first = Number(digits[0]);
  return digits.length === 2 && isGroup(first) ? (match[first]?.length ?? 0) + 1 : digits.length + 1;
}
