import { api } from '../api.ts';

/**
 * What a report of a failure needs: versions, system, the error's code, the last lines of the log. Never an error's message,
 * for it may quote the game. Rejects when the app does not answer.
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

/** The error's name, and its code and reason where it has them. */
function toCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error;
  const { name, code, reason } = error as Record<string, unknown>;
  const parts = [name, code, reason].filter((part) => typeof part === 'string');
  return parts.join(' ') || 'unknown';
}
