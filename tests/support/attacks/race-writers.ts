import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toVersion } from '../../../main/node/files/strict-text.ts';
import type { RaceOrder } from './racing-writer.ts';

export interface RaceResult {
  rounds: number;
  /** Rounds in which exactly one process got a success and its text is on disk. */
  won: number;
  /** The outcomes of the other rounds. */
  broken: string[];
}

/**
 * Makes several processes write different texts with the same base to the same files at the same time. In every tenth round the
 * files are new.
 */
export async function raceWriters(options: { rounds: number; files: number; writers?: number }): Promise<RaceResult> {
  const { rounds, files, writers = 2 } = options;
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'race-')));
  const root = path.join(parent, 'game');
  await mkdir(path.join(root, 'game/scene'), { recursive: true });
  const children: ChildProcess[] = [];
  const result: RaceResult = { rounds, won: 0, broken: [] };
  try {
    for (let index = 0; index < writers; index += 1) {
      const child = fork(path.join(import.meta.dirname, 'racing-writer.ts'), [path.join(parent, 'home'), root]);
      children.push(child);
      await once(child, 'message');
    }
    let base: RaceOrder['base'] = {};
    let names: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      if (round % 10 === 0) {
        names = Array.from({ length: files }, (_, index) => `game/scene/${round}-${index}.txt`);
        base = {};
      }
      const texts = (writer: number) => Object.fromEntries(names.map((name) => [name, `${writer}:${round};\n`]));
      const answers = await Promise.all(
        children.map(async (child, writer) => {
          const answered = once(child, 'message');
          child.send({ texts: texts(writer), base } satisfies RaceOrder);
          return String((await answered)[0]);
        }),
      );
      const onDisk = await Promise.all(names.map((name) => readFile(path.join(root, name), 'utf8')));
      const winner = answers.indexOf('saved');
      const isOne = answers.every((answer, index) => answer === (index === winner ? 'saved' : 'E_CONFLICT'));
      if (isOne && onDisk.every((text) => text === `${winner}:${round};\n`)) result.won += 1;
      else result.broken.push(`${round}: ${answers.join(', ')} | ${onDisk.map((text) => text.trim()).join(', ')}`);
      base = Object.fromEntries(names.map((name, index) => [name, toVersion(Buffer.from(onDisk[index] ?? ''))]));
    }
    return result;
  } finally {
    for (const child of children) {
      const ended = once(child, 'exit');
      child.send('end');
      await ended;
    }
    await rm(parent, { recursive: true, force: true });
  }
}

// Run manually: node tests/support/attacks/race-writers.ts ROUNDS FILES
if (process.argv[1] === import.meta.filename) {
  const [rounds = 10_000, files = 1, writers = 2] = process.argv.slice(2).map(Number);
  console.log(await raceWriters({ rounds, files, writers }));
}
