import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keepLineEndings } from '../../../shared/text/line-endings.ts';
import { composePieces, countPieces } from '../../../shared/text/pieces.ts';
import { createLoggedGame, type LoggedGame } from '../../../tests/support/games/logged-game.ts';
import { toRuns } from '../../../tests/support/thorough.ts';
import { createProposalService } from '../proposal/proposal-service.ts';
import type { ProposalService } from '../services.ts';
import { createHistory } from './history.ts';
import { replayTransactions } from './replay-transactions.ts';
import { createTransactionService } from './transaction-service.ts';

const FILES = ['game/scene/a.txt', 'game/scene/b.txt', 'game/notes.md'];
const MUSIC = 'game/bgm/rain.mp3';
const SOUND = Uint8Array.of(0xff, 0xfb, 0x0d, 0x0a, 0x00, 0xef, 0xbb, 0xbf, 0x0d);
const NO_JOURNAL = {
  keepMerged: async () => undefined,
  keepPart: async () => undefined,
  keepRest: async () => undefined,
};

/** Texts with a byte order mark, all kinds of line endings in one file, and none at the end. */
const text = fc
  .tuple(
    fc.boolean(),
    fc.array(
      fc.tuple(fc.constantFrom('', ':a;', ':b;', '雨', ' label:x;', 'x\ry'), fc.constantFrom('\n', '\n', '\r\n', '\r')),
      { maxLength: 10 },
    ),
    fc.constantFrom('', ':last;', '\r'),
  )
  .map(([hasMark, lines, end]) => (hasMark ? '\uFEFF' : '') + lines.map((each) => each.join('')).join('') + end);
const files = fc.tuple(...FILES.map(() => fc.option(text)));
const round = fc.record({
  texts: files,
  ticks: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
  undo: fc.constantFrom('change', 'restore', 'log'),
});

type Bytes = Record<string, Buffer | null>;

async function readAll(game: LoggedGame): Promise<Bytes> {
  const all = [...FILES, MUSIC].map(async (file) => [file, await readFile(game.at(file)).catch(() => null)] as const);
  return Object.fromEntries(await Promise.all(all));
}

function open(game: LoggedGame) {
  let count = 0;
  const clock = { now: Date.now, id: () => `id-${++count}` };
  const { reader, writer, snapshots, transactions } = game;
  const common = { reader, writer, clock, emit: () => undefined };
  return {
    proposals: createProposalService({ ...common, locale: () => 'en' }),
    history: createHistory({ ...common, snapshots }),
    log: createTransactionService({ ...common, transactions }),
  };
}

async function propose(proposals: ProposalService, texts: readonly (string | null)[]): Promise<string | null> {
  proposals.begin('turn', async () => undefined);
  for (const [index, path] of FILES.entries()) {
    const there = (await proposals.reader.stat(path)) && (await proposals.reader.read(path));
    const given = texts[index] ?? null;
    // As the tools of the model do.
    const next = there === null || given === null ? given : keepLineEndings(there.text, given);
    if (next !== (there?.text ?? null))
      await proposals.writer.write({ path, text: next, base: there?.version ?? null });
  }
  return (await proposals.finish('Rain'))?.id ?? null;
}

it('writes of any pieces what the card shows, replays it from the log, and undoes it to the byte', async () => {
  const counts = { accepted: 0, pieces: 0, undone: 0 };
  await fc.assert(
    fc.asyncProperty(files, fc.array(round, { minLength: 1, maxLength: 3 }), async (begin, rounds) => {
      const given = FILES.flatMap((path, index) => (begin[index] === null ? [] : [[path, begin[index] ?? '']]));
      const game = await createLoggedGame(Object.fromEntries(given));
      await game.put(MUSIC, SOUND as never);
      const { proposals, history, log } = open(game);
      const states = [await readAll(game)];
      const ids: string[] = [];
      for (const [number, { texts, ticks }] of rounds.entries()) {
        const id = await propose(proposals, texts);
        let next = 0;
        const shown = (proposals.current()?.files ?? []).map((file) => {
          const all = Array.from({ length: countPieces(file) }, (_, index) => index);
          return { file, take: all.filter(() => ticks[next++ % ticks.length]) };
        });
        // The page names the files of which something is ticked.
        const chosen = shown.filter(({ take }) => take.length > 0);
        const pieces = chosen.map(({ file: { path, version }, take }) => ({ path, version, take }));
        const paths = chosen.map(({ file }) => file.path);
        if (id === null || paths.length === 0) {
          await proposals.discard();
          continue;
        }
        const label = { group: `round-${number}`, title: 'Rain' };
        const result = await proposals.accept({ id, paths, pieces }, label, NO_JOURNAL);
        expect(result.status).toBe('applied');
        await proposals.discard();
        await game.writer.settle();
        const after = await readAll(game);
        for (const { file, take } of shown) {
          const card = composePieces(file, { taken: new Set(take) });
          expect([file.path, after[file.path]?.toString('utf8') ?? null]).toEqual([file.path, card]);
          counts.pieces += take.length;
        }
        const { transactions } = await game.transactions.read();
        if (transactions.length === ids.length) continue;
        ids.push(transactions.at(-1)?.patch_id ?? '');
        states.push(after);
        counts.accepted += 1;
      }
      await expectReplays(game, ids, states);
      for (const [back, id] of [...ids.entries()].reverse()) {
        const { undo } = rounds[back % rounds.length] ?? { undo: 'log' };
        const group = (await history.list()).find(({ isUndone, origin }) => !isUndone && origin !== 'restore');
        const changed = (group?.files ?? []).map(async ({ path, snapshotId }) => {
          const there = await game.reader.stat(path);
          return { path, snapshotId, version: there && (await game.reader.read(path)).version };
        });
        if (undo === 'log') expect(await log.rollBack(id)).toMatchObject({ status: 'applied' });
        else if (undo === 'restore') await history.restore(group?.files.map((file) => file.snapshotId) ?? []);
        else await history.undo(await Promise.all(changed));
        await game.writer.settle();
        expect(await readAll(game), undo).toEqual(states[back]);
        counts.undone += 1;
      }
      expect((await readAll(game))[MUSIC]).toEqual(Buffer.from(SOUND));
      await game.dispose();
    }),
    { numRuns: toRuns(400) },
  );
  expect(counts.undone).toBe(counts.accepted);
  expect(counts.accepted).toBeGreaterThan(0);
  if (process.env.THOROUGH === '1') process.stderr.write(`${JSON.stringify(counts)}\n`);
}, 900_000);

/** Each prefix of the log gives the files as they were after its last change. */
async function expectReplays(game: LoggedGame, ids: readonly string[], states: readonly Bytes[]): Promise<void> {
  const { transactions } = await game.transactions.read();
  for (const [index, id] of ids.entries()) {
    const { files: replayed = new Map(), outside } = replayTransactions(transactions, id) ?? {};
    expect(outside).toEqual([]);
    for (const [path, kept] of replayed) {
      const bytes = kept && Buffer.from((await game.transactions.readText(kept)) ?? 'missing');
      expect([path, bytes]).toEqual([path, states[index + 1]?.[path]]);
    }
  }
}
