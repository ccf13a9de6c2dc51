import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LIBRARIES_FILE } from '../collect-licences.ts';
import { readElectronVersion } from '../electron/find-electron.ts';
import { type Lockfile, toBillOfMaterials } from './bill-of-materials.ts';
import { type PackedProgram, readInstallers, readPackedPrograms } from './package-contents.ts';
import { findOverBudget, formatSizeTable, toInstallerRows, toPartRows } from './size-table.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const BUNDLES = ['main', 'preload', 'renderer'];

export interface PackageOptions {
  /** The output folder; it is emptied first. */
  output: string;
  /** Additional arguments for electron-builder. */
  args?: readonly string[];
  /** An unpacked Electron that replaces the one that electron-builder downloads. */
  electron?: { folder: string; version: string };
  /** Receives electron-builder's output and the size table line by line. */
  say(line: string): void;
}

/**
 * Packages the content of `out/`, writes a bill of materials next to each program and prints a table of sizes. Throws if
 * electron-builder fails or a size exceeds its budget.
 */
export async function buildPackage({ output, args = [], electron, say }: PackageOptions): Promise<void> {
  await rm(output, { recursive: true, force: true });
  const given = electron ? [`-c.electronDist=${electron.folder}`] : [];
  await runElectronBuilder([`-c.directories.output=${output}`, ...given, ...args], say);
  const programs = await readPackedPrograms(output);
  const electronVersion = electron?.version ?? (await readElectronVersion());
  for (const program of programs) await writeBill(output, program, electronVersion);
  const installers = toInstallerRows(await readInstallers(output));
  const tables = programs.map(({ name, sizes }) => ({ title: name, rows: toPartRows(sizes) }));
  if (installers.length > 0) tables.push({ title: 'to download', rows: installers });
  for (const { title, rows } of tables) for (const line of formatSizeTable(title, rows)) say(line);
  const over = findOverBudget(tables.flatMap(({ rows }) => rows));
  if (over.length > 0) {
    const names = over.map(({ name }) => name).join(', ');
    throw new Error(
      `Over the size budget: ${names}. Make it smaller, or raise scripts/package/size-table.ts and state why.`,
    );
  }
}

async function runElectronBuilder(args: readonly string[], say: (line: string) => void): Promise<void> {
  const cli = join(ROOT, 'node_modules', 'electron-builder', 'cli.js');
  const common = ['--config', 'electron-builder.yml', '--publish', 'never'];
  const child = spawn(process.execPath, [cli, ...common, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      const lines = (printed + chunk.toString()).split('\n');
      printed = lines.pop() ?? '';
      for (const line of lines) say(line);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (printed) say(printed);
  if (code !== 0) throw new Error(`electron-builder ended with ${code}.`);
}

async function writeBill(output: string, { name, libraries }: PackedProgram, electronVersion: string): Promise<void> {
  const read = async (path: string) => JSON.parse(await readFile(join(ROOT, path), 'utf8')) as unknown;
  const bundled = await Promise.all(BUNDLES.map((bundle) => read(join('out', bundle, LIBRARIES_FILE))));
  const app = (await read('package.json')) as { name: string; version: string; license: string };
  const bill = toBillOfMaterials({
    app,
    electronVersion,
    // The engine is copied out of its package, so no bundle lists it.
    keys: [...(bundled as string[][]).flat(), ...libraries, 'node_modules/webgal-engine'],
    lockfile: (await read('package-lock.json')) as Lockfile,
  });
  await writeFile(join(output, `${app.name}-${app.version}-${name}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
}
