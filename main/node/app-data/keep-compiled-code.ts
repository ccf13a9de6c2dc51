import { mkdirSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { findUserFolders } from './user-data.ts';

/** Compiled code is written this long after the start: a host that is killed would never write it at exit. */
const WRITE_AFTER_MS = 2_000;

/**
 * Enables Node's compile cache in the app's own folder: any program that can write there can run code as the user anyway,
 * which is not so for the shared temporary folder that Node uses by default. Has no effect where Node lacks it (before
 * 22.8), or where `NODE_COMPILE_CACHE` or `NODE_DISABLE_COMPILE_CACHE` is set.
 */
export function keepCompiledCode(environment: NodeJS.ProcessEnv): void {
  if (environment.NODE_COMPILE_CACHE || environment.NODE_DISABLE_COMPILE_CACHE) return;
  // The types describe only the newest Node.
  const { enableCompileCache, flushCompileCache } = module as Partial<typeof module>;
  if (enableCompileCache === undefined) return;
  const { data } = findUserFolders(environment);
  try {
    // Node would create it readable for all users.
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch {
    return; // Without a writable folder only the time saved is lost.
  }
  enableCompileCache(path.join(data, 'compiled'));
  setTimeout(() => flushCompileCache?.(), WRITE_AFTER_MS).unref();
}
