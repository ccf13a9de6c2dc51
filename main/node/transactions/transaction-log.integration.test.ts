import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createLoggedGame, LABEL, type LoggedGame } from '../../../tests/support/games/logged-game.ts';
import { toRuns } from '../../../tests/support/thorough.ts';
import { replayTransactions } from '../../core/history/replay-transactions.ts';
import { toVersion } from '../files/strict-text.ts';

const START = 'game/scene/start.txt';
const LOG = '.webgal_agent/transactions.log';
const hash = (text: string) => toVersion(Buffer.from(text));

let games: LoggedGame[] = [];
afterEach(async () => {
  await Promise.all(games.splice(0).map((game) => game.dispose()));
  games = [];
});

async function create(
  files: Record<string, string> = { [START]: '雪乃:旧;\n' },
  options: { retention?: number } = {},
): Promise<LoggedGame> {
  const game = await createLoggedGame(files, options);
  games.push(game);
  return game;
}

/** The sentences of the specification's section 5, one test each. */
describe('a line of the log', () => {
  it('has patch_id, template_id and step_id; both are null without a plan', async () => {
    const game = await create();
    await game.write({ [START]: 'a' });
    await game.write({ [START]: 'b' }, { patch: { templateId: 'scene::one', stepId: 'step-1' } });
    const [plain, planned] = await game.lines();
    expect([plain.template_id, plain.step_id, planned.template_id, planned.step_id]).toEqual([
      ...[null, null, 'scene::one', 'step-1'],
    ]);
    expect(plain.patch_id).toMatch(/^tx_\d{8}T\d{6}_[0-9a-f]{8}$/);
    expect(planned.patch_id).not.toBe(plain.patch_id);
  });

  it('names all steps of a transaction that carries out several', async () => {
    const game = await create();
    const patch = ['step-1', 'step-2'].map((stepId) => ({ templateId: 'scene::one', stepId }));
    await game.write({ [START]: 'a' }, { patch });
    const [line] = await game.lines();
    expect([line.step_id, line.metadata.steps]).toEqual([
      'step-1',
      [
        { template_id: 'scene::one', step_id: 'step-1' },
        { template_id: 'scene::one', step_id: 'step-2' },
      ],
    ]);
  });

  it('has the operations as commands, with the hashes before and after', async () => {
    const game = await create({ [START]: 'old', 'game/scene/gone.txt': 'gone' });
    await game.write({ [START]: 'new', 'game/scene/gone.txt': null, 'game/scene/made.txt': 'made' });
    const [{ commands }] = await game.lines();
    expect(commands).toEqual([
      { op: 'write', path: START, before: hash('old'), after: hash('new'), bytes: 3 },
      { op: 'delete', path: 'game/scene/gone.txt', before: hash('gone'), after: null, bytes: 0 },
      { op: 'create', path: 'game/scene/made.txt', before: null, after: hash('made'), bytes: 4 },
    ]);
  });

  it('has an undo_patch that names the kept texts and contains none', async () => {
    const game = await create({ [START]: 'a very old text', 'game/scene/gone.txt': 'gone' });
    const written = await game.write({ [START]: 'new', 'game/scene/gone.txt': null, 'game/scene/made.txt': 'made' });
    const [line] = await game.lines();
    expect(line.undo_patch.commands).toEqual([
      { op: 'write', path: START, text: hash('a very old text'), snapshot: written[0]?.snapshotId },
      { op: 'create', path: 'game/scene/gone.txt', text: hash('gone'), snapshot: written[1]?.snapshotId },
      { op: 'delete', path: 'game/scene/made.txt', text: null, snapshot: written[2]?.snapshotId },
    ]);
    expect(JSON.stringify(line)).not.toContain('a very old text');
  });

  it('is `validated` after a dry run, which touches no file; its undo_patch has no commands', async () => {
    const game = await create();
    const id = await game.transactions.validate([{ path: START, text: 'new', base: hash('雪乃:旧;\n') }], LABEL);
    expect(await game.lines()).toMatchObject([{ patch_id: id, status: 'validated', undo_patch: { commands: [] } }]);
    expect(await game.text(START)).toBe('雪乃:旧;\n');
  });

  it('is `pending` after a write that the user has not agreed to, and `applied` once it is kept', async () => {
    const game = await create();
    const base = hash('雪乃:旧;\n');
    const id = await game.transactions.validate([{ path: START, text: 'new', base }], LABEL);
    await game.write({ [START]: 'new' }, { transaction: id, isPending: true });
    await game.writer.settle();
    await game.transactions.keep(id);
    expect((await game.lines()).map((line) => [line.patch_id, line.status])).toEqual([
      ...[
        [id, 'validated'],
        [id, 'pending'],
        [id, 'applied'],
      ],
    ]);
    await expect(game.transactions.keep(id)).rejects.toMatchObject({ reason: 'transactions.notPending' });
  });

  it('is `applied` after a write that the user agreed to', async () => {
    const game = await create();
    await game.write({ [START]: 'new' });
    expect(await game.lines()).toMatchObject([{ status: 'applied' }]);
  });

  it('is `failed` after a write that was refused, with the code; a repeated failure adds no line', async () => {
    const game = await create();
    for (const text of ['x', 'y']) {
      await expect(game.writer.apply([{ path: START, text, base: hash('other') }], LABEL)).rejects.toThrow();
    }
    await game.transactions.read();
    expect(await game.lines()).toMatchObject([
      { status: 'failed', metadata: { code: 'E_CONFLICT' }, undo_patch: { commands: [] } },
    ]);
  });

  it('is `rolled_back` after a restore of the text before it, and `applied` again after that was undone', async () => {
    const game = await create({ [START]: 'old' });
    const [first] = await game.write({ [START]: 'new' });
    const restore = { ...LABEL, origin: 'restore' as const };
    const undo = (text: string, base: string, restores: string) =>
      game.writer.apply([{ path: START, text, base: hash(base), restores }], { ...restore, group: text });
    const [second] = await undo('old', 'new', first?.snapshotId ?? '');
    await game.writer.settle();
    const id = (await game.transactions.read()).transactions[0]?.patch_id;
    expect((await game.transactions.read()).transactions.map(({ status }) => status)).toEqual([
      'rolled_back',
      'applied',
    ]);
    await undo('new', 'old', second?.snapshotId ?? '');
    await game.writer.settle();
    const { transactions } = await game.transactions.read();
    expect(transactions.map(({ patch_id: one, status }) => [one === id, status])).toEqual([
      ...[
        [true, 'applied'],
        [false, 'rolled_back'],
        [false, 'applied'],
      ],
    ]);
  });

  it('has created_at in ISO 8601, and metadata with origin, group and title', async () => {
    const game = await create();
    const began = Date.now();
    await game.write({ [START]: 'new' });
    const [line] = await game.lines();
    expect(line.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(line.created_at)).toBeGreaterThanOrEqual(began);
    expect(line.metadata).toEqual(LABEL);
  });
});

describe('editing sessions', () => {
  it('are one transaction, whose line is written anew before another change of the file', async () => {
    const game = await create({ [START]: 'old' });
    const session = { origin: 'writer' as const, group: 'session' };
    for (const text of ['a', 'ab', 'abc']) {
      await game.write({ [START]: text }, session);
      await game.writer.settle();
    }
    expect(await game.lines()).toHaveLength(1);
    await game.write({ [START]: 'other' });
    const lines = await game.lines();
    expect(
      lines.map(({ patch_id: id, commands: [{ before, after }] }) => [id === lines[0].patch_id, before, after]),
    ).toEqual([
      [true, hash('old'), hash('a')],
      [true, hash('old'), hash('abc')],
      [false, hash('abc'), hash('other')],
    ]);
    const [kept] = (await game.transactions.read()).transactions;
    const undo = kept?.undo_patch.commands[0];
    expect(
      await game.transactions.readText({ hash: undo?.text ?? '', path: START, snapshot: undo?.snapshot ?? null }),
    ).toBe('old');
  });

  it('end with a change of another file, which then has the texts before it in the log', async () => {
    const OTHER = 'game/scene/other.txt';
    const game = await create({ [START]: 'old', [OTHER]: 'old' });
    const session = { origin: 'writer' as const, group: 'session' };
    for (const text of ['a', 'ab']) await game.write({ [START]: text }, session);
    await game.write({ [OTHER]: 'other' });
    await game.write({ [START]: 'abc' }, session);
    await game.close();
    const { transactions } = await game.transactions.read();
    expect(transactions.map(({ commands: [command] }) => [command?.path, command?.before, command?.after])).toEqual([
      [START, hash('old'), hash('ab')],
      [OTHER, hash('old'), hash('other')],
      [START, hash('ab'), hash('abc')],
    ]);
  });

  it('write their last text when the game is closed', async () => {
    const game = await create({ [START]: 'old' });
    for (const text of ['a', 'ab']) {
      await game.write({ [START]: text }, { origin: 'writer', group: 'session' });
      await game.writer.settle();
    }
    await game.close();
    expect((await game.lines()).at(-1)?.commands[0].after).toBe(hash('ab'));
  });
});

describe('a log that is not as this installation wrote it', () => {
  it.each([
    ['forged', (line: string) => line.replace('加一段雨夜', '加一段雨日')],
    ['damaged', (line: string) => line.slice(0, 100)],
    ['without a signature', () => '{"patch_id":"x","status":"applied"}'],
  ])('is set aside (%s), and the next write begins a new one', async (_name, change) => {
    const game = await create();
    await game.write({ [START]: 'a' });
    await game.close();
    const log = await readFile(game.at(LOG), 'utf8');
    await writeFile(game.at(LOG), `${change(log.trimEnd())}\n`);
    const next = game.open();
    await next.write({ [START]: 'b' });
    await next.close();
    const { transactions, setAside } = await next.transactions.read();
    expect([transactions.length, setAside]).toEqual([
      1,
      [expect.stringMatching(/^transactions\.log\.[0-9a-f]{8}\.foreign$/)],
    ]);
    expect(await game.text(START)).toBe('b');
    await next.close();
  });

  it('is detected while it is open', async () => {
    const game = await create();
    await game.write({ [START]: 'a' });
    await game.writer.settle();
    await appendFile(game.at(LOG), '{"patch_id":"x"}\n');
    expect(await game.transactions.read()).toMatchObject({ transactions: [], setAside: [expect.anything()] });
    await game.write({ [START]: 'b' });
    expect(await game.lines()).toHaveLength(1);
  });

  it('is set aside if it is a folder; a file in place of the texts costs only the texts', async () => {
    const game = await create();
    await mkdir(game.at(LOG), { recursive: true });
    await writeFile(game.at('.webgal_agent/transactions'), 'x');
    await game.write({ [START]: 'a' });
    await game.writer.settle();
    expect(await game.transactions.read()).toMatchObject({ transactions: [{ status: 'applied' }], unwritten: 0 });
    expect(await game.text(START)).toBe('a');
  });
});

it('keeps lines that cannot be written, reports it once, and writes them later', async () => {
  const game = await create();
  let reports = 0;
  game.transactions.onUnwritten(() => {
    reports += 1;
  });
  await game.write({ [START]: 'a' });
  await game.writer.settle();
  // The app's folder is replaced by a file while the game is open.
  const folder = game.at('.webgal_agent');
  const make = game.folder.make;
  const find = game.folder.find;
  game.folder.make = async (part) =>
    part === '' ? Promise.reject(Object.assign(new Error(), { code: 'ENOSPC' })) : make(part);
  await rm(game.at(LOG));
  game.folder.find = async (part) => (part === '' ? folder : find(part));
  await game.log.recorder.record([{ id: 'tx_1', label: LABEL, outcome: 'applied', isRecovered: false, files: [] }]);
  await game.log.recorder.record([{ id: 'tx_2', label: LABEL, outcome: 'applied', isRecovered: false, files: [] }]);
  expect([reports, (await game.transactions.read()).unwritten]).toEqual([1, 2]);
  game.folder.make = make;
  expect((await game.transactions.read()).unwritten).toBe(0);
  expect((await game.lines()).map(({ patch_id: id }) => id)).toEqual(['tx_1', 'tx_2']);
});

it('keeps the texts of snapshots that the retention removes', async () => {
  const game = await create({ [START]: 'text 0' }, { retention: 2 });
  for (let number = 1; number <= 8; number += 1) {
    await game.write({ [START]: `text ${number}` }, { group: `turn-${number}` });
    if (number % 3 === 1) await game.writer.settle();
  }
  await game.writer.settle();
  expect(await game.snapshots.list()).toHaveLength(2);
  const { transactions } = await game.transactions.read();
  for (const [index, { undo_patch: undo }] of transactions.entries()) {
    const [{ text, snapshot } = { text: null, snapshot: null }] = undo.commands;
    expect(await game.transactions.readText({ hash: text ?? '', path: 'game/none.txt', snapshot })).toBe(
      `text ${index}`,
    );
  }
});

it('is bounded: old lines and their texts are removed', async () => {
  const game = await create({ [START]: 'text' });
  const record = async (from: number, count: number) => {
    const all = Array.from({ length: count }, (_, index) => {
      const text = Buffer.from(`text ${from + index}`);
      const file = { path: START, before: null, after: toVersion(text), bytes: text.length, text };
      const label = { ...LABEL, title: 'x'.repeat(500) };
      return {
        ...{ id: `tx_${from + index}`, label, outcome: 'applied' as const, isRecovered: false },
        files: [{ ...file, snapshot: null, restores: null }],
      };
    });
    await game.log.recorder.record(all);
  };
  await record(0, 1500);
  const names = (await readdir(game.at('.webgal_agent'))).filter((name) => name.startsWith('transactions.'));
  expect(names.sort()).toEqual(['transactions.1.log', 'transactions.2.log', 'transactions.3.log', 'transactions.log']);
  const { transactions } = await game.transactions.read();
  expect(transactions.length).toBeGreaterThan(500);
  expect(transactions.length).toBeLessThan(1500);
  expect(transactions.at(-1)?.patch_id).toBe('tx_1499');
  const again = game.open();
  expect((await again.transactions.read()).transactions).toEqual(transactions);
});

const FILES = ['game/scene/a.txt', 'game/scene/b.txt', 'game/c.txt'];
const step = fc.record({
  kind: fc.constantFrom('agent', 'agent', 'writer', 'restore', 'outside', 'restart'),
  files: fc.uniqueArray(fc.constantFrom(...FILES), { minLength: 1, maxLength: 3 }),
  text: fc.option(fc.constantFrom('甲:一;\n', '乙:二;\r\n', '', 'no end', '\ufeff丙:三;\n', 'x\ny\nz\n'), {
    nil: null,
  }),
});

it('replays any prefix to the texts that were on the disk', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const game = await createLoggedGame({ [FILES[0] as string]: 'begin\n' }, { retention: 1 });
      let open: ReturnType<LoggedGame['open']> = game;
      const states: { files: Record<string, string | null>; count: number }[] = [];
      const readFiles = async () =>
        Object.fromEntries(await Promise.all(FILES.map(async (file) => [file, await game.text(file)] as const)));
      for (const [index, { kind, files, text }] of steps.entries()) {
        if (kind === 'restart') {
          await open.close();
          open = game.open();
        } else if (kind === 'outside') {
          for (const file of files) await game.put(file, `outside ${index}`);
        } else {
          const texts = Object.fromEntries(files.map((file) => [file, text === null ? null : `${text}${index}`]));
          const present = Object.fromEntries(
            (await Promise.all(files.map(async (file) => [file, await game.text(file)] as const))).filter(
              ([file, now]) => now !== null || texts[file] !== null,
            ),
          );
          if (Object.keys(present).length === 0) continue;
          await open.write(Object.fromEntries(Object.keys(present).map((file) => [file, texts[file] ?? null])), {
            origin: kind as 'agent',
            group: `group ${index}`,
          });
          await open.writer.settle();
          const { transactions } = await open.transactions.read();
          states.push({ files: await readFiles(), count: transactions.length });
        }
      }
      const { transactions } = await open.transactions.read();
      let known = 0;
      for (const { files, count } of states) {
        if (count === known) continue;
        known = count;
        const last = transactions[count - 1];
        const replay = replayTransactions(transactions, last?.patch_id ?? '');
        for (const { path } of last?.commands ?? []) {
          const text = replay?.files.get(path) ?? null;
          expect(text && (await open.transactions.readText(text))).toBe(files[path] ?? null);
        }
        // A file that another program changed since its last transaction is as that transaction left it.
        for (const [path, text] of replay?.files ?? []) {
          if (text) expect(await open.transactions.readText(text)).not.toBeNull();
          else expect(files[path] === null || files[path]?.startsWith('outside')).toBe(true);
        }
      }
      await open.close();
      await game.dispose();
    }),
    { numRuns: toRuns(40) },
  );
});
