/**
 * A process that writes to a game on each message (`{ texts, base }`: texts and versions by project path) and replies with
 * `saved` or the error code.
 */

import { createJournalSignature } from '../../../main/node/journal/journal-signature.ts';
import { createWriter } from '../../../main/node/journal/project-writer.ts';
import { createAgentFolder } from '../../../main/node/project-fs/agent-folder.ts';
import { createPathResolver } from '../../../main/node/project-fs/path-resolver.ts';
import { createSnapshotStore } from '../../../main/node/snapshots/snapshot-store.ts';
import { AppError } from '../../../shared/errors.ts';

export interface RaceOrder {
  texts: Record<string, string>;
  base: Record<string, string | null>;
}

const [, , home = '', root = ''] = process.argv;
const folder = createAgentFolder(root);
const signature = createJournalSignature(home);
const snapshots = createSnapshotStore(folder, { signature, retention: 3 });
const writer = createWriter({ resolver: createPathResolver(root), folder, snapshots, signature });

process.on('message', (order: RaceOrder | 'end') => {
  if (order === 'end') {
    void writer.settle().then(() => process.exit(0));
    return;
  }
  const changes = Object.entries(order.texts).map(([path, text]) => ({ path, text, base: order.base[path] ?? null }));
  writer.apply(changes, { origin: 'agent', group: 'race', title: 'race' }).then(
    () => process.send?.('saved'),
    (error: unknown) => process.send?.(error instanceof AppError ? error.code : String(error)),
  );
});
process.send?.('ready');
