import path from 'node:path';
import { createJournalSignature } from '../../../main/node/journal/journal-signature.ts';
import { createSessionLogs } from '../../../main/node/logs/session-logs.ts';
import { createAgentFolder } from '../../../main/node/project-fs/agent-folder.ts';

/** Deletes the conversation `one` of a folder and brings it back until it is killed. */
const root = process.argv[2] ?? '';
const logs = createSessionLogs(createAgentFolder(root), createJournalSignature(path.join(root, 'home')));
process.send?.('begins');
for (;;) {
  await logs.discard('one');
  await logs.restore('one');
}
