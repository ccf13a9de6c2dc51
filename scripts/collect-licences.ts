import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
/** Beside a bundle: the packages in it, as keys of `package-lock.json`. Read when a package is made, not shipped. */
export const LIBRARIES_FILE = 'libraries.json';

/**
 * Writes two files beside a bundle: `LICENSES.txt`, each package that went into it with the text its authors ask to be
 * kept; and `libraries.json`, the same packages as keys of `package-lock.json`.
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

/** `node_modules/a/node_modules/b` for a package of that folder, wherever the repository lies. */
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
