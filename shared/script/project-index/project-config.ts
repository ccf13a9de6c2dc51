/** A line of config.txt as read by the engine. Columns are 0-based. */
export interface ConfigEntry {
  key: string;
  /** The value that the engine uses: cut at the first ` -` and the first `;`. */
  value: string;
  line: number;
  keyStart: number;
  keyEnd: number;
  valueStart: number;
  valueEnd: number;
  /** The part of the value that the engine cuts off as an argument. */
  lost: string;
  text: string;
}

/** Reads config.txt: one `Key:value;` per line, at most 10,000 lines. Never throws. */
export function scanConfig(text: string): ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  const lines = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .slice(0, 10_000);
  for (const [line, raw] of lines.entries()) {
    const full = raw.replaceAll('\r', '');
    const semicolon = full.indexOf(';');
    const statement = semicolon < 0 ? full : full.slice(0, semicolon);
    const colon = statement.indexOf(':');
    if (colon < 0) continue;
    const key = statement.slice(0, colon).trim();
    const rest = statement.slice(colon + 1);
    const dash = rest.indexOf(' -');
    const value = (dash < 0 ? rest : rest.slice(0, dash)).trim();
    const keyStart = statement.length - statement.trimStart().length;
    const valueStart = colon + 1 + (rest.length - rest.trimStart().length);
    entries.push({
      key,
      value,
      line,
      keyStart,
      keyEnd: colon,
      valueStart,
      valueEnd: Math.max(valueStart, colon + 1 + (dash < 0 ? rest.trimEnd().length : dash)),
      lost: dash < 0 ? '' : rest.slice(dash + 1).trim(),
      text: full,
    });
  }
  return entries;
}
