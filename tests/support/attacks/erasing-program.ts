import path from 'node:path';
import { createJournalSignature } from '../../../main/node/journal/journal-signature.ts';
import { createSessionLogs } from '../../../main/node/logs/session-logs.ts';
import { createAgentFolder } from '../../../main/node/project-fs/agent-folder.ts';

/** Removes the deleted conversations of a folder for good, one by one, until it is killed. */
const root = process.argv[2] ?? '';
const logs = createSessionLogs(createAgentFolder(root), createJournalSignature(path.join(root, 'home')));
process.send?.('begins');
for (const { session } of await logs.listTrash()) await logs.erase(session);
setInterval(() => undefined, 1000);
