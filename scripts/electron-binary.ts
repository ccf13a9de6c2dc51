import { spawn } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

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
const PACKAGE = dirname(require.resolve('electron/package.json'));

/** The desktop program that belongs to the installed `electron` package; null while it has not been fetched. */
export async function findElectron(): Promise<string | null> {
  try {
    const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
    const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(PACKAGE, 'dist');
    const name = await readFile(join(PACKAGE, 'path.txt'), 'utf8');
    const fetched = (await readFile(join(folder, 'version'), 'utf8')).trim().replace(/^v/, '');
    const program = join(folder, name);
    await access(program);
    return fetched === version ? program : null;
  } catch {
    // Any of these files missing means the same: it is not there.
    return null;
  }
}

/**
 * Fetches the program, within `milliseconds`. `onProgress` hears a share from 0 to 1. Null when that did not work; the
 * package's own installer unpacks it and checks its hash.
 */
export async function fetchElectron(milliseconds: number, onProgress: (share: number) => void): Promise<string | null> {
  const deadline = AbortSignal.timeout(milliseconds);
  try {
    const entry = createRequire(join(PACKAGE, 'package.json')).resolve('@electron/get');
    const { downloadArtifact } = (await import(pathToFileURL(entry).href)) as ElectronGet;
    const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
    const download = downloadArtifact({
      version,
      artifactName: 'electron',
      checksums: require('electron/checksums.json') as Record<string, string>,
      downloadOptions: {
        quiet: true,
        signal: deadline,
        getProgressCallback: async ({ percent }) => onProgress(percent),
      },
    });
    await Promise.race([download, rejectOn(deadline)]);
    await install(deadline);
  } catch {
    // No network, a refused address, too slow: the caller says what happens instead.
    return null;
  }
  return findElectron();
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

function install(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(PACKAGE, 'install.js')], { stdio: 'ignore', signal });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The installer ended with ${code}.`))));
  });
}
