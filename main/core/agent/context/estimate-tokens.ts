/** Tokens for a character of a script that is written without spaces: rather more than any current tokenizer needs. */
const TOKENS_PER_WIDE = 1;
/** Tokens for any other character, of code and JSON rather than of English prose. */
const TOKENS_PER_NARROW = 0.3;
/** The first code unit of the scripts that are written without spaces, from CJK radicals to half-width forms. */
const FIRST_WIDE = 0x2e80;

/** Tokens for a picture of the greatest size that is sent: rather more than the providers count. */
export const PICTURE_TOKENS = 1600;

/** Estimates the tokens of a text from its characters, for services that do not count before they are asked. Errs upwards. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) >= FIRST_WIDE) wide += 1;
  return Math.ceil(wide * TOKENS_PER_WIDE + (text.length - wide) * TOKENS_PER_NARROW);
}

/** Returns a function that estimates the tokens of values as JSON, each object once. */
export function createTokenEstimate(): (value: object) => number {
  const known = new WeakMap<object, number>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const tokens = estimateTokens(JSON.stringify(value)) + countPictures(value) * PICTURE_TOKENS;
    known.set(value, tokens);
    return tokens;
  };
}

/** Counts the pictures of a message. */
function countPictures(message: object): number {
  const parts: unknown = 'content' in message ? message.content : null;
  if (!Array.isArray(parts)) return 0;
  return parts.filter(
    (part: unknown) => typeof part === 'object' && part !== null && 'type' in part && part.type === 'picture',
  ).length;
}
