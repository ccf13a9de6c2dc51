import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const STAMP = 'engine.json';

export interface EngineCopy {
  /** Folder with the engine's `index.html`, `assets/`, `LICENSE` and the stamp `engine.json`. */
  directory: string;
  version: string;
  /** False if the existing copy is up to date. */
  isNew: boolean;
}

/**
 * Copies the built engine out of its npm package, without the compressed files, which are never requested. Copies into a
 * temporary folder and renames it, so that a partial copy is never used.
 */
export async function copyEngine(directory = join(import.meta.dirname, '..', 'out', 'engine')): Promise<EngineCopy> {
  const dist = dirname(createRequire(import.meta.url).resolve('webgal-engine/dist/index.html'));
  const manifest = JSON.parse(await readFile(join(dist, '..', 'package.json'), 'utf8')) as { version: string };
  const { version } = manifest;
  const stamp = `${JSON.stringify({ version, fingerprint: await fingerprint(dist) })}\n`;
  if ((await readFile(join(directory, STAMP), 'utf8').catch(() => '')) === stamp) {
    return { directory, version, isNew: false };
  }
  const aside = `${directory}.${process.pid}.new`;
  await rm(aside, { recursive: true, force: true });
  await mkdir(dirname(directory), { recursive: true });
  await cp(dist, aside, { recursive: true, filter: (source) => !source.endsWith('.gz') });
  await cp(join(dist, '..', 'LICENSE'), join(aside, 'LICENSE'));
  await writeFile(join(aside, STAMP), stamp);
  await rm(directory, { recursive: true, force: true });
  await rename(aside, directory);
  return { directory, version, isNew: true };
}

/** Returns names and sizes of the copied files, which detects an engine that was rebuilt in place. */
async function fingerprint(dist: string): Promise<string> {
  const names = (await readdir(dist, { recursive: true })).filter((name) => !name.endsWith('.gz')).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}\0${(await stat(join(dist, name))).size}\n`);
  return hash.digest('hex').slice(0, 16);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { version, isNew } = await copyEngine();
  console.log(isNew ? `Engine ${version} copied to out/engine.` : `Engine ${version} in out/engine is up to date.`);
}
