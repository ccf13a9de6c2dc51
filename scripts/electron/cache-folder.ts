import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for what tests download, outside of the repository. `WEBGAL_AGENT_CACHE` moves it. Root gets a folder that
 * other users can read, because root's tests start Electron as another user.
 */
export function findCacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.WEBGAL_AGENT_CACHE) return environment.WEBGAL_AGENT_CACHE;
  if (process.getuid?.() === 0) return '/var/cache/webgal-agent';
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'webgal-agent');
}
