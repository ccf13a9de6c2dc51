import { mkdirSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { findUserPlaces } from './user-data.ts';

/** Compiled code is written this long after the start: a host that is killed would never write it. */
const WRITE_AFTER_MS = 2_000;

/**
 * Lets Node keep compiled code between runs, in the app's own folder: whoever can write there can run code as the user
 * anyway, which is not so for the shared temporary folder that Node would take. Does nothing where Node cannot (before
 * 22.8), or where `NODE_COMPILE_CACHE` or `NODE_DISABLE_COMPILE_CACHE` already says what is to be done.
 */
export function keepCompiledCode(environment: NodeJS.ProcessEnv): void {
  if (environment.NODE_COMPILE_CACHE || environment.NODE_DISABLE_COMPILE_CACHE) return;
  // The types know only the newest Node.
  const { enableCompileCache, flushCompileCache } = module as Partial<typeof module>;
  if (enableCompileCache === undefined) return;
  const { data } = findUserPlaces(environment);
  try {
    // Node would make it for everybody to look into.
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch {
    return; // A folder that cannot be written costs nothing but the time saved.
  }
  enableCompileCache(path.join(data, 'compiled'));
  setTimeout(() => flushCompileCache?.(), WRITE_AFTER_MS).unref();
}
