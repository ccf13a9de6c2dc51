import { dirname, join } from 'node:path';
import { buildStale } from './build.ts';
import { findElectron } from './electron/find-electron.ts';
import { buildPackage } from './package/build-package.ts';

/**
 * Creates the packages of the current system in `release/`, with a bill of materials and a table of sizes. Passes arguments to
 * electron-builder (`npm run package -- --dir`). `--found-electron` packages the Electron that the tests use, into a folder
 * only, for machines that cannot reach Electron's download server. Such a package is not for users.
 */
const ROOT = join(import.meta.dirname, '..');
const FOUND = '--found-electron';

const say = (line: string): void => console.log(line);
try {
  const args = process.argv.slice(2).filter((argument) => argument !== FOUND);
  const output = join(ROOT, 'release');
  await buildStale(say);
  if (process.argv.includes(FOUND)) {
    const runtime = await findElectron();
    if (!runtime)
      throw new Error('There is no Electron on this machine. npm run fetch-electron fetches one for tests.');
    say(`Packaging Electron ${runtime.version} (${runtime.origin}), to try the package out. Not for users.`);
    const electron = { folder: dirname(runtime.program), version: runtime.version };
    await buildPackage({ output, args: [...args, '--dir'], electron, say });
  } else {
    await buildPackage({ output, args, say });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
