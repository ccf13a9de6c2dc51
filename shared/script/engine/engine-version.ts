/** The version of the engine on npm: assumed unless the project names another. */
export const DEFAULT_ENGINE_VERSION = '4.5.18';

/**
 * True when `version` is `minimum` or later. Anything that does not begin with three numbers, and what a fork counts
 * from 1 on, counts as the default version.
 */
export function isEngineAtLeast(version: string, minimum: string): boolean {
  const have = toNumbers(version);
  const need = toNumbers(minimum);
  for (let part = 0; part < 3; part += 1) {
    const difference = (have[part] ?? 0) - (need[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Cache of parsed versions, because every line compares versions. */
const KNOWN = new Map<string, readonly number[]>();
const MAX_CACHED = 100;

function toNumbers(version: string): readonly number[] {
  const known = KNOWN.get(version);
  if (known !== undefined) return known;
  const numbers = parseVersion(version);
  if (KNOWN.size < MAX_CACHED) KNOWN.set(version, numbers);
  return numbers;
}

function parseVersion(version: string): number[] {
  const match = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(version);
  // Forks that count from 1 have the code of newer engines.
  const isOwnCount = match !== null && Number(match[1]) < 3;
  return ((isOwnCount ? null : match) ?? /^(\d+)\.(\d+)\.(\d+)/.exec(DEFAULT_ENGINE_VERSION) ?? [])
    .slice(1)
    .map(Number);
}
