import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createAudit } from '../../main/core/capability/audit/audit.ts';
import { createDirectWriter } from '../../main/core/capability/client/direct-writer.ts';
import { createToolRunner } from '../../main/core/capability/runner/run-tool.ts';
import { createLogFile } from '../../main/node/logs/log-file.ts';
import { createAgentFolder } from '../../main/node/project-fs/agent-folder.ts';
import { writeToFile } from '../../main/tools/write-to-file.ts';
import { createProjectFolder } from '../support/games/project-folder.ts';
import { type Comparison, compare, time } from './compare.ts';

const LINES = 400;

/**
 * Measures saving a scene through `write_to_file` like an external agent: dry run, then the write with base check, journal,
 * snapshot, fsync and rename, and an audit log line for each. Syncs after the response (folder, snapshot, log) fall into the
 * rounds of both sides. Against the minimum that keeps a file intact: write, fsync, rename, without a fsync of the folder.
 */
export async function benchWritePath(): Promise<Comparison> {
  const path = 'game/scene/start.txt';
  const game = await createProjectFolder({ [path]: '雪乃:你好;\n'.repeat(LINES), 'game/scene/plain.txt': '' });
  const folder = createAgentFolder(game.root);
  const audit = createLogFile({
    folder: (make) => (make ? folder.make('') : folder.find('')),
    name: 'audit.jsonl',
    syncsBehind: true,
  });
  let calls = 0;
  const runner = createToolRunner({
    tools: [writeToFile],
    ports: {
      reader: game.reader,
      writer: createDirectWriter({ writer: game.writer, label: () => ({ group: 'bench', title: 'bench' }) }),
    },
    audit: createAudit(audit),
    caller: () => ({ type: 'model', id: 'assistant', role: 'owner' }),
    policy: () => ({
      project: { writes: 'allowed', developerMode: false, closedFolders: [] },
      settings: { tools: {} },
    }),
    locale: () => 'en',
    // The clock advances a minute with each call, so that the rate limit is not reached.
    clock: { now: () => ++calls * 60_000, id: () => `id-${calls}` },
  });
  let edition = 0;
  /** Returns the text with one changed line, like an edit. */
  const toText = (): string => {
    edition += 1;
    const lines = Array.from({ length: LINES }, () => '雪乃:你好;\n');
    lines[edition % LINES] = `雪乃:第 ${edition} 版;\n`;
    return lines.join('');
  };
  const call = async (input: object): Promise<void> => {
    const id = `call-${edition}`;
    const signal = new AbortController().signal;
    const outcome = await runner.run({ id, name: 'write_to_file', input, mode: 'act', trace: 'bench', signal });
    if (!outcome.ok) throw new Error(`${outcome.error?.code} ${outcome.error?.message}`);
  };
  const plain = join(game.root, 'game', 'scene', 'plain.txt');
  try {
    return await compare({
      name: 'a write with dry run, snapshot, fsync and audit',
      goal: { ratio: 3 },
      against: 'write + fsync + rename',
      rounds: 600,
      ours: () =>
        time(async () => {
          const content = toText();
          await call({ path, content, dryRun: true });
          await call({ path, content, dryRun: false });
        }),
      theirs: () =>
        time(async () => {
          const file = await open(`${plain}.new`, 'w');
          await file.writeFile(toText());
          await file.sync();
          await file.close();
          await rename(`${plain}.new`, plain);
        }),
    });
  } finally {
    await audit.close();
    await game.dispose();
  }
}
