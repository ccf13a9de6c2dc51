import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSessionLog } from '../../../main/core/agent/session/session-log.ts';
import { createJournalSignature } from '../../../main/node/journal/journal-signature.ts';
import { createSessionLogs } from '../../../main/node/logs/session-logs.ts';
import { createAgentFolder } from '../../../main/node/project-fs/agent-folder.ts';
import { type Comparison, compare, time } from '../compare.ts';
import { toLongLog } from '../projection.ts';

const BYTES = 20 * 1024 * 1024;

/** Measures reading a session log of 20 MB from the disk, signatures included, against `JSON.parse` of its lines. */
export async function benchSessionLog(): Promise<Comparison> {
  const root = await mkdtemp(path.join(tmpdir(), 'webgal-agent-bench-'));
  const create = () => createSessionLogs(createAgentFolder(root), createJournalSignature(path.join(root, 'home')));
  try {
    const lines: string[] = [];
    const events = toLongLog(40_000);
    for (let bytes = 0; bytes < BYTES && lines.length < events.length; ) {
      const line = JSON.stringify(events[lines.length]);
      lines.push(line);
      bytes += Buffer.byteLength(line);
    }
    const logs = create();
    await logs.open('bench').appendAll(events.slice(0, lines.length), true);
    await logs.close();
    return await compare({
      ...{ name: 'a session log of 20 MB', goal: { ratio: 2 }, against: '`JSON.parse` of its lines', rounds: 10 },
      ours: () =>
        time(async () => {
          const { log, damaged } = await readSessionLog('bench', create().open('bench'));
          if (log.isForeign || damaged > 0 || log.events.length < lines.length) throw new Error('It was not read.');
        }),
      theirs: async () => {
        const startedAt = performance.now();
        for (const line of lines) JSON.parse(line);
        return performance.now() - startedAt;
      },
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
