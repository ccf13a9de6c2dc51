import { type Dir, opendirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createSerialQueue } from '../../../shared/async.ts';
import type { SkillFile, SkillFiles } from '../../core/ports/stores/skill-files.ts';
import { writeDurably } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';
import { toText } from '../files/strict-text.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';

const PART = 'skills';
const ALLOWED_FOLDER = 'allowed-skills';
/** Limits of one folder: names that are looked at, files that are read, bytes of a file and of all files. */
const MAX_NAMES = 2000;
const MAX_FILES = 30;
const MAX_BYTES = 16 * 1024;
const MAX_TOTAL_BYTES = 128 * 1024;
/** Versions that are kept for a game; older answers are asked for again. */
const MAX_ALLOWED = 300;
const MAX_ALLOWED_BYTES = 64 * 1024;
const VERSION = /^[0-9a-f]{64}$/;

/** Creates the port for one game. `projectId` is an id of `FolderNames`, which contains no separators. */
export function createSkillFiles(agentFolder: AgentFolder, dataFolder: string, projectId: string): SkillFiles {
  const queue = createSerialQueue();
  const folder = path.join(dataFolder, ALLOWED_FOLDER);
  const file = path.join(folder, `${projectId}.json`);

  async function readAllowed(): Promise<string[]> {
    try {
      const text = (await readPrivateFile(file, ALLOWED_FOLDER, { maxBytes: MAX_ALLOWED_BYTES }))?.toString();
      const stored: unknown = JSON.parse(text ?? '[]');
      return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string' && VERSION.test(one)) : [];
    } catch {
      // Damaged or unreadable: the user is asked again.
      return [];
    }
  }

  return {
    async ofGame() {
      // A link in place of the folder is refused, as for everything in the app's folder of a game.
      const found = await agentFolder.find(PART).catch(() => null);
      return found === null ? [] : readFolder(found);
    },
    ofUser: () => readFolder(path.join(dataFolder, PART)),
    allowed: () => queue.run(async () => new Set(await readAllowed())),
    allow: (versions) =>
      queue.run(async () => {
        try {
          const kept = [...new Set([...(await readAllowed()), ...versions])].slice(-MAX_ALLOWED);
          await mkdir(folder, { recursive: true, mode: 0o700 });
          await writeDurably(file, JSON.stringify(kept), 0o600);
        } catch (error) {
          throw toIoError(error, ALLOWED_FOLDER);
        }
      }),
  };
}

async function readFolder(folder: string): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  let total = 0;
  for (const name of readMarkdownNames(folder)) {
    if (files.length === MAX_FILES) break;
    try {
      const bytes = await readPrivateFile(path.join(folder, name), name, { maxBytes: MAX_BYTES });
      if (bytes === null || total + bytes.length > MAX_TOTAL_BYTES) continue;
      files.push({ name, text: toText(bytes, name) });
      total += bytes.length;
    } catch {
      // A link, too large or not UTF-8: the other skills stay usable.
    }
  }
  return files;
}

/** Returns the names of Markdown files, sorted; a game can bring a folder with any number of names. */
function readMarkdownNames(folder: string): string[] {
  let directory: Dir;
  try {
    directory = opendirSync(folder);
  } catch {
    // Missing or not a folder.
    return [];
  }
  try {
    const names: string[] = [];
    for (let count = 0; count < MAX_NAMES; count += 1) {
      const entry = directory.readSync();
      if (entry === null) break;
      if (entry.isFile() && entry.name.toLowerCase().endsWith('.md')) names.push(entry.name);
    }
    return names.sort();
  } finally {
    directory.closeSync();
  }
}
