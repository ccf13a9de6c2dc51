import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { buildPackage } from '../../../scripts/package/build-package.ts';
import { findDesktopSupport, stageProgram } from './desktop.ts';

/** The variable with the folder of a run's package; set by `playwright.config.ts`. */
export const PACKAGE_VARIABLE = 'WEBGAL_AGENT_TEST_PACKAGE';

/** The package of a test run. */
export interface TestPackage {
  /** electron-builder's output folder. */
  output: string;
  /** The shipped program, and the folder of the archive. */
  program: string;
  resources: string;
  /** Executables of the shipped program and of its twin, which accepts a debugger. Null without an Electron to package. */
  start: { shipped: string; twin: string } | null;
  /** Version of the packaged Electron. */
  electronVersion: string;
}

const RECORD = 'test-package.json';

/** Reads the package that `makeTestPackage` created in this run. */
export async function readTestPackage(): Promise<TestPackage> {
  return JSON.parse(await readFile(join(findFolder(), RECORD), 'utf8')) as TestPackage;
}

/**
 * Packages the built app like `npm run package`, with the Electron that the tests use. Without one, with a stand-in: then the
 * content can be tested, but the package cannot be started.
 */
export async function makeTestPackage(): Promise<TestPackage> {
  const folder = findFolder();
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const support = await findDesktopSupport();
  const isReal = 'runtime' in support;
  const electron = isReal
    ? { folder: findElectronFolder(support.runtime.program), version: support.runtime.version }
    : { folder: await makeStandIn(join(folder, 'stand-in')), version: '0.0.0' };
  const output = join(folder, 'release');
  const printed: string[] = [];
  const args = isReal ? ['--dir'] : ['--linux', 'dir'];
  try {
    await buildPackage({ output, args, electron, say: (line) => printed.push(line) });
  } catch (error) {
    // The reason first: a run's last lines keep only the beginning of a failure.
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The package was not made: ${reason}\n${printed.join('\n')}`, { cause: error });
  }
  const { program, resources, app } = await locate(output);
  const made = { output, program, resources, electronVersion: electron.version };
  const start = isReal ? await makeStarters(folder, app, program) : null;
  await writeFile(join(folder, RECORD), JSON.stringify({ ...made, start } satisfies TestPackage));
  return { ...made, start };
}

function findFolder(): string {
  const folder = process.env[PACKAGE_VARIABLE];
  if (!folder) throw new Error(`${PACKAGE_VARIABLE} is not set; playwright.config.ts sets it.`);
  return folder;
}

/** Returns the folder that electron-builder accepts as an unpacked Electron. */
function findElectronFolder(program: string): string {
  return process.platform === 'darwin' ? join(program, '..', '..', '..', '..') : dirname(program);
}

async function makeStarters(folder: string, app: string, program: string): Promise<TestPackage['start']> {
  const twinApp = join(folder, 'twin', app.slice(dirname(app).length + 1));
  await cp(app, twinApp, { recursive: true, verbatimSymlinks: true });
  const twin = join(twinApp, program.slice(app.length + 1));
  await flipFuses(twin, {
    version: FuseVersion.V1,
    resetAdHocDarwinSignature: process.platform === 'darwin',
    // Playwright drives the main process through Node's inspector. All other fuses stay as they ship.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  return {
    shipped: await stageProgram(program, join(folder, 'start-shipped')),
    twin: await stageProgram(twin, join(folder, 'start-twin')),
  };
}

/** Finds electron-builder's output: the unpacked app, its program and the folder of its archive. */
async function locate(output: string): Promise<{ app: string; program: string; resources: string }> {
  const folders = (await readdir(output, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const unpacked = join(output, folders[0]?.name ?? '');
  if (folders[0]?.name.startsWith('mac')) {
    const app = join(unpacked, 'WebGAL Agent.app');
    return { app, program: join(app, 'Contents/MacOS/WebGAL Agent'), resources: join(app, 'Contents/Resources') };
  }
  const name = folders[0]?.name.startsWith('win') ? 'WebGAL Agent.exe' : 'webgal-agent';
  return { app: unpacked, program: join(unpacked, name), resources: join(unpacked, 'resources') };
}

/** The fuses in a program: a marker, the version of the list, its length, then a digit for each fuse. */
const FUSE_WIRE = `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0008${'0'.repeat(8)}`;

/** Creates a folder like an unpacked Electron for Linux, with fuses. */
async function makeStandIn(folder: string): Promise<string> {
  await mkdir(join(folder, 'resources', 'app'), { recursive: true });
  await mkdir(join(folder, 'locales'));
  await writeFile(join(folder, 'electron'), `#!/bin/sh\n# ${FUSE_WIRE}\n`, { mode: 0o755 });
  const files = ['LICENSE', 'LICENSES.chromium.html', 'version', 'locales/en-US.pak', 'resources/app/main.js'];
  await Promise.all(files.map((name) => writeFile(join(folder, name), '')));
  return folder;
}
