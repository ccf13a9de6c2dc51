/** The engine on npm: what a project runs on unless it says otherwise. */
export const DEFAULT_ENGINE_VERSION = '4.5.18';

/** The versions whose behaviour was measured. Others are judged by the nearest older one. */
export const KNOWN_ENGINE_VERSIONS = ['4.5.18', '4.6.1', '4.6.4'] as const;

/** True when `version` is `minimum` or later. Anything that is not three numbers counts as the default version. */
export function isEngineAtLeast(version: string, minimum: string): boolean {
  const have = toNumbers(version);
  const need = toNumbers(minimum);
  for (let part = 0; part < 3; part += 1) {
    const difference = (have[part] ?? 0) - (need[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function toNumbers(version: string): number[] {
  const match = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(version);
  return (match ?? /^(\d+)\.(\d+)\.(\d+)/.exec(DEFAULT_ENGINE_VERSION) ?? []).slice(1).map(Number);
}
