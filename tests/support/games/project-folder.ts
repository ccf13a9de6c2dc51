import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Reader } from '../../../main/core/ports/reader.ts';
import type { Snapshots } from '../../../main/core/ports/writer.ts';
import { createJournalSignature, type JournalSignature } from '../../../main/node/journal/journal-signature.ts';
import { createWriter, type ProjectWriter } from '../../../main/node/journal/project-writer.ts';
import { createAgentFolder } from '../../../main/node/project-fs/agent-folder.ts';
import { createPathResolver } from '../../../main/node/project-fs/path-resolver.ts';
import { createReader } from '../../../main/node/project-fs/project-files.ts';
import { createMatcher } from '../../../main/node/search/matcher.ts';
import { createSnapshotStore } from '../../../main/node/snapshots/snapshot-store.ts';

/** One thread for all folders of a process; it starts with the first search and does not keep the process alive. */
const matcher = createMatcher();

/** A real game folder with the real ports. */
export interface ProjectFolder {
  root: string;
  reader: Reader;
  writer: ProjectWriter;
  snapshots: Snapshots;
  /** The journal signature of the installation that opened the game. */
  signature: JournalSignature;
  /** Writes without the ports, like another program. */
  put(file: string, content: string | Uint8Array): Promise<void>;
  /** Returns the text on disk; null if there is no file. */
  text(file: string): Promise<string | null>;
  remove(file: string): Promise<void>;
  dispose(): Promise<void>;
}

/** Creates a game of the given files in the system's temporary folder. */
export async function createProjectFolder(files: Record<string, string | Uint8Array>): Promise<ProjectFolder> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'game-')));
  const home = await mkdtemp(path.join(tmpdir(), 'home-'));
  const resolver = createPathResolver(root);
  const folder = createAgentFolder(root);
  const signature = createJournalSignature(home);
  const snapshots = createSnapshotStore(folder, { signature });
  const put = async (file: string, content: string | Uint8Array) => {
    const absolute = path.join(root, file);
    await mkdir(path.dirname(absolute), { recursive: true });
    await writeFile(absolute, content);
  };
  for (const [file, content] of Object.entries(files)) await put(file, content);
  const writer = createWriter({ resolver, folder, snapshots, signature });
  return {
    root,
    reader: createReader(root, { matcher }),
    writer,
    snapshots,
    signature,
    put,
    text: (file) => readFile(path.join(root, file), 'utf8').catch(() => null),
    remove: (file) => rm(path.join(root, file), { recursive: true }),
    async dispose() {
      await writer.settle();
      for (const one of [root, home]) await rm(one, { recursive: true, force: true });
    },
  };
}
