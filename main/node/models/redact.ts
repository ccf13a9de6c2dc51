const SHAPES = [
  /\b(?:sk|pk|rk|xai|gsk|key)[-_][A-Za-z0-9_-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi,
  /((?:x-api-key|x-goog-api-key|api[-_]?key|authorization|access[-_]?token)["']?\s*[:=]\s*["']?)[^\s"',}&]+/gi,
];
const MAX_CHARACTERS = 1000;

/** Removes keys from a text for a page or a log: the exact ones that are known, and text in the format of a key. */
export function toRedacted(text: string, keys: readonly string[]): string {
  let clean = text;
  for (const key of keys) if (key !== '') clean = clean.replaceAll(key, '•••');
  for (const shape of SHAPES)
    clean = clean.replace(shape, (_match, lead) => `${typeof lead === 'string' ? lead : ''}•••`);
  return clean.length > MAX_CHARACTERS ? `${clean.slice(0, MAX_CHARACTERS).toWellFormed()}…` : clean;
}
