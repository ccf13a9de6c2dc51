import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ELECTRON_PACKAGE, type ElectronRuntime, findInstalledElectron, readElectronVersion } from './find-electron.ts';

/** The used part of `@electron/get`, which is a dependency of `electron` and not of this project. */
interface ElectronGet {
  downloadArtifact(request: {
    version: string;
    artifactName: string;
    checksums: Record<string, string>;
    downloadOptions: {
      quiet: boolean;
      signal: AbortSignal;
      getProgressCallback(progress: { percent: number }): Promise<void>;
    };
  }): Promise<string>;
}

const require = createRequire(import.meta.url);

/**
 * Downloads the pinned Electron into the package's `dist/` and verifies the package's checksums. Resolves to null if that fails
 * or takes longer than `milliseconds`. `onProgress` receives 0 to 1. Uses `@electron/get`, because the package's own installer
 * reports no progress and cannot be cancelled.
 */
export async function installElectron(
  milliseconds: number,
  onProgress: (share: number) => void,
): Promise<ElectronRuntime | null> {
  const deadline = AbortSignal.timeout(milliseconds);
  try {
    const entry = createRequire(join(ELECTRON_PACKAGE, 'package.json')).resolve('@electron/get');
    const { downloadArtifact } = (await import(pathToFileURL(entry).href)) as ElectronGet;
    const download = downloadArtifact({
      version: await readElectronVersion(),
      artifactName: 'electron',
      checksums: require('electron/checksums.json') as Record<string, string>,
      downloadOptions: {
        quiet: true,
        signal: deadline,
        getProgressCallback: async ({ percent }) => onProgress(percent),
      },
    });
    await Promise.race([download, rejectOn(deadline)]);
    await runInstaller(deadline);
  } catch {
    // No network, a blocked URL or a timeout; the caller reports the alternative.
    return null;
  }
  return findInstalledElectron();
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

function runInstaller(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ELECTRON_PACKAGE, 'install.js')], { stdio: 'ignore', signal });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The installer ended with ${code}.`))));
  });
}
