import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from '@playwright/test';

const run = promisify(execFile);

/** Software WebGL and sound without a click, which the engine needs without a display and a GPU. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--autoplay-policy=no-user-gesture-required',
  '--mute-audio',
];

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export interface BrowserProgram {
  executablePath: string;
  /** The browser's origin, for the line that reports which browser a run used. */
  origin: 'environment' | 'playwright' | 'system' | 'package';
  env: Record<string, string>;
  args: string[];
}

let found: Promise<BrowserProgram> | undefined;

/** Returns the browser to test with: `CHROMIUM_PATH`, Playwright's, the system's, or the one in the npm package (Linux). */
export function findBrowser(): Promise<BrowserProgram> {
  found ??= locate();
  return found;
}

/** Starts a headless Chromium that can run the engine. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env, args } = await findBrowser();
  return chromium.launch({ executablePath, env, args, headless: true });
}

async function locate(): Promise<BrowserProgram> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const at = (executablePath: string, origin: BrowserProgram['origin']) => ({
    executablePath,
    origin,
    env,
    args: ARGUMENTS,
  });
  const named = process.env.CHROMIUM_PATH;
  if (named) return at(named, 'environment');
  const own = chromium.executablePath();
  if (own && existsSync(own)) return at(own, 'playwright');
  const system = SYSTEM_BROWSERS.find((path) => existsSync(path));
  if (system) return at(system, 'system');
  if (process.platform !== 'linux') {
    throw new Error('No Chromium was found. Install Chrome, or name one in CHROMIUM_PATH.');
  }
  const folder = await unpack();
  const executablePath = join(folder, 'chromium');
  if (await lacksLibraries(executablePath)) {
    env.LD_LIBRARY_PATH = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  }
  return at(executablePath, 'package');
}

/**
 * Unpacks the package's browser once per machine and version. It is unpacked into another folder and renamed, because several
 * test runs may do this at the same time.
 */
async function unpack(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@playwright/test');
  const manifest = join(entry, '..', '..', '..', '@sparticuz', 'chromium', 'package.json');
  const { version } = createRequire(import.meta.url)(manifest) as { version: string };
  const folder = join(tmpdir(), `webgal-agent-chromium-${version}-${process.getuid?.() ?? 0}`);
  if (existsSync(join(folder, 'chromium'))) return folder;
  await mkdir(tmpdir(), { recursive: true });
  const aside = await mkdtemp(`${folder}-`);
  const script = "import('@sparticuz/chromium').then((module) => module.default.executablePath())";
  // The variable makes the package also unpack libraries that a minimal system does not have.
  await run(process.execPath, ['-e', script], {
    cwd: join(import.meta.dirname, '..', '..', '..'),
    env: { ...process.env, TMPDIR: aside, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
  });
  try {
    await rename(aside, folder);
  } catch (error) {
    // Another run was faster; use its copy.
    await rm(aside, { recursive: true, force: true });
    if (!existsSync(join(folder, 'chromium'))) throw error;
  }
  return folder;
}

async function lacksLibraries(executablePath: string): Promise<boolean> {
  try {
    const { stdout } = await run('ldd', [executablePath]);
    return stdout.includes('not found');
  } catch {
    // No `ldd`: the packaged libraries do no harm where they are not needed.
    return true;
  }
}

/** The variable in which each program of a launched browser has the launcher's path. */
export const LAUNCHED_BY = 'WEBGAL_AGENT_LAUNCHED_BY';

/**
 * Writes a program that starts the browser with what it needs, for apps that are told its path alone. Returns its path; the caller
 * removes the folder.
 */
export async function writeBrowserLauncher(folder: string): Promise<string> {
  const { executablePath, env, args } = await findBrowser();
  const launcher = join(folder, 'browser');
  const libraries = env.LD_LIBRARY_PATH ? `LD_LIBRARY_PATH='${env.LD_LIBRARY_PATH}' ` : '';
  const flags = args.map((flag) => `'${flag}'`).join(' ');
  await writeFile(
    launcher,
    `#!/bin/sh\n${LAUNCHED_BY}='${launcher}' ${libraries}exec '${executablePath}' ${flags} "$@"\n`,
    { mode: 0o755 },
  );
  return launcher;
}
