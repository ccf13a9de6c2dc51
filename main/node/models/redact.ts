const SHAPES = [
  /\b(?:sk|pk|rk|xai|gsk|key)[-_][A-Za-z0-9_-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi,
  /((?:x-api-key|x-goog-api-key|api[-_]?key|authorization|access[-_]?token)["']?\s*[:=]\s*["']?)[^\s"',}&]+/gi,
];
const LONGEST = 1000;

/** Takes keys out of a text that a page or a log may show: the exact ones that are known, and what looks like one. */
export function toRedacted(text: string, keys: readonly string[]): string {
  let clean = text;
  for (const key of keys) if (key !== '') clean = clean.replaceAll(key, '•••');
  for (const shape of SHAPES)
    clean = clean.replace(shape, (_match, lead) => `${typeof lead === 'string' ? lead : ''}•••`);
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST).toWellFormed()}…` : clean;
}
