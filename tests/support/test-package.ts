import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { buildPackage } from '../../scripts/package/build-package.ts';
import { findDesktopSupport, stageProgram } from './desktop.ts';

/** Names the folder that holds a run's package; `playwright.config.ts` sets it. */
export const PACKAGE_VARIABLE = 'WEBGAL_AGENT_TEST_PACKAGE';

/** The package that a run of the tests has made. */
export interface TestPackage {
  /** electron-builder's output folder. */
  output: string;
  /** The program as it ships, and the folder that holds the archive. */
  program: string;
  resources: string;
  /** What starts the shipped program, and its twin that a debugger may attach to. Null without an Electron to package. */
  start: { shipped: string; twin: string } | null;
  /** Of the Electron inside. */
  electronVersion: string;
}

const RECORD = 'test-package.json';

/** Reads what `makeTestPackage` has made in this run. */
export async function readTestPackage(): Promise<TestPackage> {
  return JSON.parse(await readFile(join(findFolder(), RECORD), 'utf8')) as TestPackage;
}

/**
 * Packages the built app as `npm run package` does, over the Electron that the tests use. Without one, over a stand-in: what
 * is in the package can be tested then, but not started.
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
    throw new Error(`The package was not made.\n${printed.join('\n')}`, { cause: error });
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

/** The folder that electron-builder takes for an unpacked Electron. */
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

/** Finds what electron-builder left: the unpacked app, the program in it and the folder of its archive. */
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

/** Where a program keeps its fuses: this mark, the version of the list, its length, then a digit for each fuse. */
const FUSE_WIRE = `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0008${'0'.repeat(8)}`;

/** A folder shaped like an unpacked Electron for Linux, with fuses to flip. */
async function makeStandIn(folder: string): Promise<string> {
  await mkdir(join(folder, 'resources', 'app'), { recursive: true });
  await mkdir(join(folder, 'locales'));
  await writeFile(join(folder, 'electron'), `#!/bin/sh\n# ${FUSE_WIRE}\n`, { mode: 0o755 });
  const files = ['LICENSE', 'LICENSES.chromium.html', 'version', 'locales/en-US.pak', 'resources/app/main.js'];
  await Promise.all(files.map((name) => writeFile(join(folder, name), '')));
  return folder;
}
