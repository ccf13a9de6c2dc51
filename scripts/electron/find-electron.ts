import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findTestRuntime } from './test-runtime.ts';

const require = createRequire(import.meta.url);

/** The folder of the installed `electron` package; the program is in `dist/` after the download. */
export const ELECTRON_PACKAGE: string = dirname(require.resolve('electron/package.json'));

/** An Electron program that can be started. */
export interface ElectronRuntime {
  program: string;
  /** The content of the runtime's `version` file, without a leading `v`. */
  version: string;
  /** `environment`: `ELECTRON_OVERRIDE_DIST_PATH`; `installed`: the package's own; `test`: `npm run fetch-electron`. */
  origin: 'environment' | 'installed' | 'test';
}

/**
 * Returns the Electron to start: `ELECTRON_OVERRIDE_DIST_PATH`, else the installed package's if it was downloaded and has the
 * pinned version, else the test runtime. Null if there is none. Throws if `ELECTRON_OVERRIDE_DIST_PATH` names a folder without
 * a program, because testing another one silently would hide the mistake.
 */
export async function findElectron(): Promise<ElectronRuntime | null> {
  const named = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (named) {
    const runtime = await readRuntime(named, 'environment');
    if (!runtime) throw new Error(`ELECTRON_OVERRIDE_DIST_PATH contains no Electron program: ${named}`);
    return runtime;
  }
  return (await findInstalledElectron()) ?? findTestRuntime();
}

/** Returns the installed package's program; null if it was not downloaded or has another version. */
export async function findInstalledElectron(): Promise<ElectronRuntime | null> {
  const runtime = await readRuntime(join(ELECTRON_PACKAGE, 'dist'), 'installed');
  return runtime?.version === (await readElectronVersion()) ? runtime : null;
}

/** Returns the version that `package.json` pins. */
export async function readElectronVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(ELECTRON_PACKAGE, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

async function readRuntime(folder: string, origin: ElectronRuntime['origin']): Promise<ElectronRuntime | null> {
  const names = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' } as Record<string, string>;
  const program = join(folder, names[process.platform] ?? 'electron');
  try {
    await access(program);
    const version = (await readFile(join(folder, 'version'), 'utf8')).trim().replace(/^v/, '');
    return { program, version, origin };
  } catch {
    // If either file is missing, there is no runtime.
    return null;
  }
}
