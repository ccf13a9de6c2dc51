import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the folder for downloads of tests, outside of the repository. `WEBGAL_AGENT_CACHE` overrides it. For root it is
 * readable for other accounts, because root's tests start Electron under another account.
 */
export function findCacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.WEBGAL_AGENT_CACHE) return environment.WEBGAL_AGENT_CACHE;
  if (process.getuid?.() === 0) return '/var/cache/webgal-agent';
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'webgal-agent');
}
