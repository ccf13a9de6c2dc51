import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createLoggedGame, LABEL, type LoggedGame } from '../../../tests/support/games/logged-game.ts';
import { replayTransactions } from '../../core/history/replay-transactions.ts';
import { createTransactionService } from '../../core/history/transaction-service.ts';
import type { WriteLabel } from '../../core/ports/writer.ts';
import { toVersion } from '../files/strict-text.ts';

type Texts = Record<string, string | null>;

/** What is done to a game. Transactions are numbered in the order in which they begin. */
type Action = ({ do: 'validate' | 'write' | 'refused'; texts: Texts } | { do: 'keep' | 'undo'; of: number }) & {
  label?: Partial<WriteLabel>;
  /** The dry run that a write carries out. */
  carriesOut?: number;
  /** The reason of the error. */
  fails?: string;
};

/** Actions, and what the specification says of the lines that they add. */
interface LogVector {
  /** The sentence of section 5. */
  sentence: string;
  actions: Action[];
  /** Parts of each line: `#N` is the id of transaction N, `sha-256 X` the hash of a text, `now` the time of the line. */
  lines: object[];
  disk?: Texts;
  /** The files that a replay gives. */
  replay?: { until: number; files: Texts };
  /** Transactions that wait for the user. */
  waits?: number[];
}

const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
const { before, vectors }: { before: Record<string, string>; vectors: LogVector[] } = read('log-vectors.json');
const schema = z.fromJSONSchema(read('../../../docs/schemas/transaction-log.line.json'));
const hash = (text: string) => toVersion(Buffer.from(text));

describe('the transaction log', () => {
  it.each(vectors)('$sentence', async ({ actions, lines, disk = {}, replay, waits }) => {
    const game = await createLoggedGame(before);
    onTestFinished(() => game.dispose());
    const began = Date.now();
    const ids = await act(game, actions);

    const found = await game.lines();
    expect(found).toHaveLength(lines.length);
    for (const [index, { mark, ...line }] of found.entries()) {
      expect(mark).toEqual(expect.any(String));
      expect(schema.parse(line)).toEqual(line);
      expect(Date.parse(line.created_at)).toBeGreaterThanOrEqual(began - 1);
      expect(line).toMatchObject(toExpected(lines[index] ?? {}, { ids, line }));
    }
    for (const [file, text] of Object.entries(disk)) expect(await game.text(file), file).toBe(text);
    const { transactions } = await game.transactions.read();
    if (waits) {
      const pending = transactions.filter(({ status }) => status === 'pending');
      expect(pending.map(({ patch_id: id }) => id)).toEqual(waits.map((index) => ids[index]));
    }
    if (!replay) return;
    const { files } = replayTransactions(transactions, ids[replay.until] ?? '') ?? {};
    for (const [file, text] of Object.entries(replay.files)) {
      const kept = files?.get(file) ?? null;
      expect(kept && (await game.transactions.readText(kept)), file).toBe(text);
    }
  });
});

/** Does what the actions say and returns the ids of the transactions. */
async function act(game: LoggedGame, actions: readonly Action[]): Promise<string[]> {
  const { transactions, reader, writer } = game;
  const service = createTransactionService({
    ...{ transactions, reader, writer, emit: () => undefined },
    clock: { now: Date.now, id: () => 'undo' },
  });
  const ids: string[] = [];
  for (const action of actions) {
    const done = run(game, service, { action, ids });
    if (action.fails === undefined) await done;
    else await expect(done).rejects.toMatchObject({ reason: action.fails });
    await game.writer.settle();
    for (const { patch_id: id } of (await transactions.read()).transactions) if (!ids.includes(id)) ids.push(id);
  }
  return ids;
}

async function run(
  game: LoggedGame,
  service: ReturnType<typeof createTransactionService>,
  { action, ids }: { action: Action; ids: readonly string[] },
): Promise<unknown> {
  if ('of' in action) {
    const id = ids[action.of] ?? '';
    return action.do === 'keep' ? service.keep(id) : service.rollBack(id);
  }
  const changes = await Promise.all(
    Object.entries(action.texts).map(async ([path, text]) => {
      const there = await game.text(path);
      return { path, text, base: there === null ? null : hash(there) };
    }),
  );
  const { carriesOut } = action;
  const label = { ...LABEL, ...action.label, ...(carriesOut !== undefined && { transaction: ids[carriesOut] ?? '' }) };
  if (action.do === 'validate') return game.transactions.validate(changes, label);
  if (action.do === 'write') return game.writer.apply(changes, label);
  const stale = changes.map((change) => ({ ...change, base: hash('another text') }));
  return expect(game.writer.apply(stale, label)).rejects.toMatchObject({ code: 'E_CONFLICT' });
}

/** Puts ids, hashes and times in the places of their names. */
function toExpected(part: object, { ids, line }: { ids: readonly string[]; line: { created_at: string } }): object {
  const text = JSON.stringify(part, (_key, value) => {
    if (typeof value !== 'string') return value;
    if (value.startsWith('#')) return ids[Number(value.slice(1))];
    if (value.startsWith('sha-256 ')) return hash(value.slice('sha-256 '.length));
    return value === 'now' ? new Date(line.created_at).toISOString() : value;
  });
  return JSON.parse(text);
}
