import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { collectLicences } from './collect-licences.ts';
import { copyEngine } from './copy-engine.ts';
import { copySample, SAMPLE_INPUTS } from './copy-sample.ts';
import { writeAscii } from './write-ascii.ts';

const ROOT = join(import.meta.dirname, '..');
const OUT = join(ROOT, 'out');
/** Not bundled: Electron provides itself, the keychain's library is native, the browser's library reads its own files. */
const EXTERNAL = ['electron', 'playwright-core', '@napi-rs/keyring', /^@napi-rs\/keyring\//];
const NODE = [...builtinModules, /^node:/];

interface Target {
  /** Folders and files whose content decides whether the target is stale. */
  inputs: string[];
  /** The output folder in `out/`, and a file in it; if that is missing, the target is rebuilt. */
  folder: string;
  proof: string;
  /** Fills an empty folder. */
  make(folder: string): Promise<unknown>;
}

const SELF = ['scripts/build.ts', 'scripts/collect-licences.ts', 'scripts/write-ascii.ts'];

/** Without comments and indentation, which the runtime would read and keep in memory; names stay as they are for error reports. */
const COMPACT = { compress: false, mangle: false, codegen: { removeWhitespace: true } } as const;

const targets: Record<string, Target> = {
  main: { inputs: ['main', 'shared', ...SELF], folder: 'main', proof: 'cli.js', make: buildMain },
  preload: {
    inputs: ['preload', 'shared/wire.ts', ...SELF],
    folder: 'preload',
    proof: 'index.cjs',
    make: buildPreload,
  },
  renderer: {
    inputs: ['renderer', 'shared', 'vite.config.ts', ...SELF],
    folder: 'renderer',
    proof: 'index.html',
    make: buildRenderer,
  },
  engine: {
    inputs: ['scripts/copy-engine.ts'],
    folder: 'engine',
    proof: 'index.html',
    make: copyEngine,
  },
  sample: {
    inputs: [...SAMPLE_INPUTS, 'scripts/copy-sample.ts'],
    folder: 'sample-game',
    proof: 'game/config.txt',
    make: copySample,
  },
};

/** Builds stale targets into `out/` and reports each through `say`. Returns the names of the built targets. */
export async function buildStale(say: (line: string) => void): Promise<string[]> {
  const stampPath = join(OUT, 'build.json');
  const stamps = await readStamps(stampPath);
  const built: string[] = [];
  for (const [name, target] of Object.entries(targets)) {
    const stamp = await toStamp(target);
    if (stamps[name] === stamp && (await exists(join(OUT, target.folder, target.proof)))) continue;
    const startedAt = performance.now();
    await makeWhole(target);
    say(`built ${name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    stamps[name] = stamp;
    built.push(name);
    await writeFile(stampPath, JSON.stringify(stamps, null, 2));
  }
  return built;
}

/** Builds into a temporary folder and renames it, so that an app that starts meanwhile never reads a partial build. */
async function makeWhole({ folder, make }: Target): Promise<void> {
  const place = join(OUT, folder);
  const aside = `${place}.${process.pid}.new`;
  try {
    await make(aside);
    await rm(place, { recursive: true, force: true });
    await rename(aside, place);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Returns a hash of the inputs. Libraries are included through the lockfile. */
async function toStamp(target: Target): Promise<string> {
  const hash = createHash('sha256');
  for (const input of [...target.inputs, 'package-lock.json', 'package.json']) {
    for (const file of await listFiles(join(ROOT, input))) {
      if (/\.test\.tsx?$/.test(file)) continue;
      hash
        .update(file.slice(ROOT.length))
        .update('\0')
        .update(await readFile(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

async function listFiles(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [path];
    throw error;
  }
}

function bundle(folder: string, config: NonNullable<InlineConfig['build']>): InlineConfig {
  return {
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    plugins: [collectLicences(), writeAscii()],
    build: { outDir: folder, emptyOutDir: true, reportCompressedSize: false, copyPublicDir: false, ...config },
  };
}

async function buildMain(folder: string): Promise<void> {
  await build({
    ...bundle(folder, {
      ssr: true,
      target: 'node22',
      sourcemap: false,
      rolldownOptions: {
        input: { cli: 'main/cli.ts', electron: 'main/hosts/electron/main.ts' },
        external: [...EXTERNAL, ...NODE],
        platform: 'node',
        // Flat, so that `out/` is the parent folder of every file.
        output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js', minify: COMPACT },
      },
    }),
    ssr: { noExternal: true, external: ['electron', 'playwright-core', '@napi-rs/keyring'] },
    resolve: { conditions: ['node'] },
  });
  for (const [name, input] of Object.entries(WORKERS)) await buildWorker(folder, name, input);
}

/** Threads. Each is built as one CommonJS file, because most are started from their source text. */
const WORKERS = {
  'engine-page-worker': 'main/node/playtest/browser/engine-page-worker.ts',
  'page-actions-worker': 'main/node/browser/page-actions-worker.ts',
  'checkpoint-worker': 'main/node/checkpoints/checkpoint-worker.ts',
  'match-worker': 'main/node/search/match-worker.ts',
  'session-search-worker': 'main/node/logs/search/session-search-worker.ts',
};

async function buildWorker(folder: string, name: string, input: string): Promise<void> {
  await build({
    ...bundle(folder, {
      ssr: true,
      emptyOutDir: false,
      target: 'node22',
      rolldownOptions: {
        input: { [name]: input },
        external: [...NODE, 'playwright-core'],
        platform: 'node',
        output: { format: 'cjs', entryFileNames: '[name].cjs', minify: COMPACT },
      },
    }),
    plugins: [writeAscii()],
    ssr: { noExternal: true },
  });
}

/** Returns the preload's configuration. A sandboxed preload must be CommonJS and can only require `electron`. */
export function toPreloadConfig(folder: string): InlineConfig {
  return bundle(folder, {
    ssr: true,
    target: 'chrome140',
    rolldownOptions: {
      input: { index: 'preload/index.ts' },
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: '[name].cjs' },
    },
  });
}

async function buildPreload(folder: string): Promise<void> {
  await build(toPreloadConfig(folder));
}

async function buildRenderer(folder: string): Promise<void> {
  await build({ configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn', build: { outDir: folder } });
}

async function readStamps(path: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
  } catch {
    // No build yet, or the list is damaged, so everything is stale.
    await mkdir(OUT, { recursive: true });
    return {};
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await readFile(path);
    return true;
  } catch {
    // Missing or not readable; rebuilt in both cases.
    return false;
  }
}

if (import.meta.main) {
  const built = await buildStale((line) => console.log(line));
  if (built.length === 0) console.log('everything is up to date');
}
