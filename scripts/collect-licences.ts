import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
/** File next to a bundle with its packages as keys of `package-lock.json`. Read by the packager, not shipped. */
export const LIBRARIES_FILE = 'libraries.json';

/**
 * Writes two files next to a bundle: `LICENSES.txt` with each bundled package and its licence text, and `libraries.json` with the
 * same packages as keys of `package-lock.json`.
 */
export function collectLicences(): Plugin {
  return {
    name: 'collect-licences',
    generateBundle() {
      const folders = new Set<string>();
      for (const id of this.getModuleIds()) {
        const folder = PACKAGE.exec(id.replace(/^\0/, '').split('?')[0] ?? '')?.[1];
        if (folder) folders.add(folder);
      }
      const notices = [...folders].map(toNotice).filter((notice) => notice !== null);
      notices.sort();
      const keys = [...folders].map(toLockKey).sort();
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: notices.join(`\n${'-'.repeat(72)}\n\n`) });
      this.emitFile({ type: 'asset', fileName: LIBRARIES_FILE, source: `${JSON.stringify(keys, null, 2)}\n` });
    },
  };
}

/** Returns the key of a package folder, such as `node_modules/a/node_modules/b`, independent of the repository's path. */
function toLockKey(folder: string): string {
  const path = folder.replaceAll('\\', '/');
  return path.slice(path.indexOf('/node_modules/') + 1);
}

function toNotice(folder: string): string | null {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name?: string;
    version?: string;
    license?: string;
  };
  if (!manifest.name) return null;
  const files = readdirSync(folder)
    .filter((name) => LICENCE_FILE.test(name))
    .sort();
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8').trim());
  return `${manifest.name} ${manifest.version ?? ''} (${manifest.license ?? 'see below'})\n\n${texts.join('\n\n')}\n`;
}
