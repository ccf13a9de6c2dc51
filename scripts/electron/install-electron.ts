import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ELECTRON_PACKAGE, type ElectronRuntime, findInstalledElectron, readElectronVersion } from './find-electron.ts';

/** The part of `@electron/get` used here; the package belongs to `electron`, not to us. */
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
 * Downloads the pinned Electron, checked against the package's checksums, into the package's own `dist/`. Resolves to null
 * when that did not work within `milliseconds`. `onProgress` receives 0 to 1. Downloads through `@electron/get`, because
 * the package's own installer shows no progress and cannot be stopped.
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
    // No network, a refused address, too slow: the caller says what happens instead.
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
