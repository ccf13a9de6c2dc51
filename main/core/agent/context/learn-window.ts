/** The limit in the words of services: “maximum context length is 65536”, “210000 tokens > 200000 maximum”. */
// Language data: messages of services.
const STATED = [
  /max(?:imum)?[^.\d]{0,60}(?:length|tokens?|window|limit)[^.\d]{0,30}?(\d[\d,]{3,9})/i,
  /(?:limit|window|length|max_length|上下文|上限|最大)[^.\d]{0,30}?(\d[\d,]{3,9})/i,
  />\s*(\d[\d,]{3,9})/,
  /\[\s*\d+\s*,\s*(\d{4,9})\s*\]/,
];

/**
 * Returns the size of a model's window in tokens from a service's refusal of a request of about `asked` tokens: the figure that
 * the refusal names, else a little less than what was refused. Pure.
 */
export function learnWindow(refusal: string, asked: number): number {
  for (const pattern of STATED) {
    const stated = Number(pattern.exec(refusal)?.[1]?.replaceAll(',', ''));
    // A larger figure is the size of the request, or the service counts something else.
    if (stated >= 1000 && stated <= asked * 2) return stated;
  }
  return Math.max(1000, Math.floor(asked * 0.8));
}
