import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Transactions } from '../../../main/core/ports/transactions.ts';
import type { WriteLabel, Written } from '../../../main/core/ports/writer.ts';
import { createJournalSignature } from '../../../main/node/journal/journal-signature.ts';
import { createWriter } from '../../../main/node/journal/project-writer.ts';
import { createAgentFolder } from '../../../main/node/project-fs/agent-folder.ts';
import { createPathResolver } from '../../../main/node/project-fs/path-resolver.ts';
import { createReader } from '../../../main/node/project-fs/project-files.ts';
import { createSnapshotStore } from '../../../main/node/snapshots/snapshot-store.ts';
import { openTransactions } from '../../../main/node/transactions/open-transactions.ts';
import { createTransactionLog } from '../../../main/node/transactions/transaction-log.ts';

export const LABEL: WriteLabel = { origin: 'agent', group: 'turn-1', title: '加一段雨夜' };

/** A real game folder whose writer has a transaction log. */
export type LoggedGame = Awaited<ReturnType<typeof createLoggedGame>>;

export async function createLoggedGame(files: Record<string, string>, options: { retention?: number } = {}) {
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'logged-')));
  const root = path.join(parent, 'game');
  const home = path.join(parent, 'home');
  const at = (file: string) => path.join(root, file);
  async function put(file: string, content: string): Promise<void> {
    await mkdir(path.dirname(at(file)), { recursive: true });
    await writeFile(at(file), content);
  }
  for (const [file, content] of Object.entries(files)) await put(file, content);

  /** Opens the game like another start of the app. */
  function open() {
    const folder = createAgentFolder(root);
    const signature = createJournalSignature(home);
    const log = createTransactionLog(folder, { signature });
    const { keeper, recorder } = log;
    const snapshots = createSnapshotStore(folder, { signature, keeper, ...options });
    const resolver = createPathResolver(root);
    const writer = createWriter({ resolver, folder, snapshots, signature, recorder });
    const transactions: Transactions = openTransactions(log, { snapshots, resolver, folder });
    const reader = createReader(root);
    return {
      ...{ folder, signature, snapshots, writer, transactions, reader, log },
      /** Writes over the present texts; null removes a file. */
      async write(texts: Record<string, string | null>, label: Partial<WriteLabel> = {}): Promise<Written[]> {
        const changes = [];
        for (const [file, text] of Object.entries(texts)) {
          const found = await reader.read(file).catch(() => null);
          changes.push({ path: file, text, base: found?.version ?? null });
        }
        return writer.apply(changes, { ...LABEL, ...label });
      },
      async close() {
        await writer.settle();
        await log.close();
      },
    };
  }
  const first = open();

  return {
    ...{ root, home, open, at, put, ...first },
    text: (file: string) => readFile(at(file), 'utf8').catch(() => null),
    /** Returns the lines on the disk, newest file only. */
    async lines() {
      await first.writer.settle();
      const text = await readFile(at('.webgal_agent/transactions.log'), 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    },
    async dispose() {
      await first.close();
      await rm(parent, { recursive: true, force: true });
    },
  };
}
