/**
 * Formats a number of tokens: `840`, `12.4k`, `1.2M`; in Chinese and Japanese `1.2 万`, `120 万`. One decimal where it is
 * significant.
 */
export function formatTokens(count: number, locale: string): string {
  // Language data: the unit of ten thousand.
  if (/^(zh|ja)/.test(locale)) return count < 10_000 ? String(count) : `${short(count / 10_000)} 万`;
  if (count < 1000) return String(count);
  return count < 999_950 ? `${short(count / 1000)}k` : `${short(count / 1_000_000)}M`;
}

function short(value: number): string {
  return value < 100 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
}
