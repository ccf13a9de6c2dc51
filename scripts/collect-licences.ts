import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** Writes `LICENSES.txt` beside a bundle: each package that went into it, with the text its authors ask to be kept. */
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
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: notices.join(`\n${'-'.repeat(72)}\n\n`) });
    },
  };
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
