import { api } from '../api.ts';

/**
 * Returns the details for a bug report: versions, system, error code, last lines of the log. Excludes the error message
 * because it can quote the game. Rejects if the app is unreachable.
 */
export async function toFailureDetails(error: unknown): Promise<string> {
  const [{ version, host, platform }, { versions, log }] = await Promise.all([
    api.call('app.info', {}),
    api.call('app.details', {}),
  ]);
  return [
    `WebGAL Agent ${version} (${host}, ${platform})`,
    ...Object.entries(versions).map(([name, value]) => `${name}: ${value}`),
    `Error: ${toCode(error)}`,
    ...(log.length > 0 ? ['', ...log] : []),
  ].join('\n');
}

/** Returns the name of the error, with code and reason if present. */
function toCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error;
  const { name, code, reason } = error as Record<string, unknown>;
  const parts = [name, code, reason].filter((part) => typeof part === 'string');
  return parts.join(' ') || 'unknown';
}
