import { rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLoggedGame, LABEL, type LoggedGame } from '../../../tests/support/games/logged-game.ts';
import { createHistory } from './history.ts';
import { createTransactionService, type TransactionService } from './transaction-service.ts';

const START = 'game/scene/start.txt';
const OTHER = 'game/scene/other.txt';
const TEXT = '甲:一;\n甲:二;\n甲:三;\n甲:四;\n甲:五;\n';

let game: LoggedGame;
let service: TransactionService;
let events: string[] = [];
beforeEach(async () => {
  game = await createLoggedGame({ [START]: TEXT });
  service = open(game);
});
afterEach(() => game.dispose());

function open({
  transactions,
  reader,
  writer,
}: Pick<LoggedGame, 'transactions' | 'reader' | 'writer'>): TransactionService {
  let ids = 0;
  events = [];
  const clock = { now: () => 0, id: () => `undo-${++ids}` };
  return createTransactionService({ transactions, reader, writer, clock, emit: (event) => void events.push(event) });
}

/** Writes and returns the transaction's id. */
async function write(
  texts: Record<string, string | null>,
  label: Parameters<LoggedGame['write']>[1] = {},
): Promise<string> {
  await game.write(texts, label);
  await game.writer.settle();
  return (await game.transactions.read()).transactions.at(-1)?.patch_id ?? '';
}

async function statuses(): Promise<string[]> {
  await game.writer.settle();
  return (await game.transactions.read()).transactions.map(({ status }) => status);
}

describe('undoing one change', () => {
  it('keeps later changes of other lines, and is a transaction that marks the old one', async () => {
    const first = await write({ [START]: TEXT.replace('一', '1') });
    await write({ [START]: TEXT.replace('一', '1').replace('五', '5') });
    expect(await service.rollBack(first)).toMatchObject({ status: 'applied', files: [{ path: START }] });
    expect(await game.text(START)).toBe(TEXT.replace('五', '5'));
    expect(await statuses()).toEqual(['rolled_back', 'applied', 'applied']);
    const last = (await game.transactions.read()).transactions.at(-1);
    expect(last?.metadata).toMatchObject({ origin: 'restore', rolls_back: first, title: LABEL.title });
    expect(events).toContain('transactions.changed');
    await expect(service.rollBack(first)).rejects.toMatchObject({ reason: 'transactions.notWritten' });
  });

  it('says what conflicts and writes none of the files', async () => {
    const first = await write({ [START]: TEXT.replace('一', '1'), [OTHER]: 'new\n' });
    await write({ [START]: TEXT.replace('一', '1!') });
    expect(await service.rollBack(first)).toEqual({
      status: 'conflict',
      conflicts: [{ path: START, reason: 'changed' }],
    });
    expect([await game.text(START), await game.text(OTHER)]).toEqual([TEXT.replace('一', '1!'), 'new\n']);
    expect(await statuses()).toEqual(['applied', 'applied']);
  });

  it.each([
    ['a created file that was changed', { [OTHER]: 'a' }, { [OTHER]: 'b' }, 'changed'],
    ['a changed file that was removed', { [START]: 'a' }, { [START]: null }, 'gone'],
    ['a removed file in whose place another one is', { [START]: null }, { [START]: 'other' }, 'exists'],
  ])('refuses %s', async (_name, first, second, reason) => {
    const id = await write(first);
    await write(second);
    const [path] = Object.keys(first);
    expect(await service.rollBack(id)).toEqual({ status: 'conflict', conflicts: [{ path, reason }] });
  });

  it('refuses a file whose texts are gone', async () => {
    const id = await write({ [START]: TEXT.replace('一', '1') });
    await rm(game.at('.webgal_agent/snapshots'), { recursive: true });
    expect(await service.rollBack(id)).toEqual({
      status: 'conflict',
      conflicts: [{ path: START, reason: 'missing' }],
    });
  });

  it('writes nothing if the change is not there any more', async () => {
    const id = await write({ [START]: 'a' });
    await write({ [START]: TEXT });
    expect(await service.rollBack(id)).toEqual({ status: 'unchanged' });
  });

  it('restores created, changed and removed files as they were, byte for byte, and can be undone', async () => {
    const odd = '\ufeff甲:一;\r\n乙:二;';
    await writeFile(game.at(OTHER), odd);
    const id = await write({ [START]: 'a', [OTHER]: null, 'game/scene/made.txt': 'made' });
    const result = await service.rollBack(id);
    expect([await game.text(START), await game.text(OTHER), await game.text('game/scene/made.txt')]).toEqual([
      ...[TEXT, odd, null],
    ]);
    const clock = { now: () => 0, id: () => 'redo' };
    const history = createHistory({ ...game, clock, emit: () => undefined });
    expect((await history.list())[1]?.isUndone).toBe(true);
    await history.undo(result.status === 'applied' ? result.files : []);
    expect([await game.text(START), await game.text(OTHER), await game.text('game/scene/made.txt')]).toEqual([
      ...['a', null, 'made'],
    ]);
    expect(await statuses()).toEqual(['applied', 'rolled_back', 'applied']);
  });

  it('takes a pending change back', async () => {
    const id = await write({ [START]: 'a' }, { isPending: true });
    await service.rollBack(id);
    expect([await game.text(START), await statuses()]).toEqual([TEXT, ['rolled_back', 'applied']]);
  });

  it('does not undo a change of a forged log', async () => {
    const id = await write({ [START]: 'a' });
    await game.close();
    await writeFile(game.at('.webgal_agent/transactions.log'), `{"patch_id":"${id}","status":"applied"}\n`);
    const next = open(game.open());
    await expect(next.rollBack(id)).rejects.toMatchObject({ reason: 'transactions.notFound' });
    expect(await game.text(START)).toBe('a');
  });
});

describe('the list', () => {
  const all = { skip: 0, limit: 100 };

  it('is newest first, in pages, and combines filters', async () => {
    await write({ [START]: 'a' }, { title: 'first' });
    await write({ [OTHER]: 'b' }, { title: 'second', origin: 'writer' });
    await service.rollBack(await write({ [START]: 'c' }, { title: 'third' }));
    await game.writer.settle();
    const titles = async (filter: Parameters<TransactionService['list']>[0]['filter'], page = all) =>
      (await service.list({ filter, ...page })).entries.map(({ title }) => title);
    expect(await titles({})).toEqual(['third', 'third', 'second', 'first']);
    expect(await titles({}, { skip: 1, limit: 2 })).toEqual(['third', 'second']);
    expect(await titles({ status: 'rolled_back' })).toEqual(['third']);
    expect(await titles({ origin: 'writer' })).toEqual(['second']);
    expect(await titles({ file: 'OTHER' })).toEqual(['second']);
    expect(await titles({ text: 'irs' })).toEqual(['first']);
    expect(await titles({ text: 'irs', origin: 'writer' })).toEqual([]);
    expect((await service.list({ filter: {}, skip: 3, limit: 1 })).total).toBe(4);
  });

  it('returns what a change did to a file', async () => {
    const id = await write({ [START]: 'a', [OTHER]: 'b' });
    expect(await service.diff({ id, path: START })).toEqual({
      path: START,
      before: TEXT,
      after: 'a',
      isMissing: false,
    });
    expect(await service.diff({ id, path: OTHER })).toEqual({
      path: OTHER,
      before: null,
      after: 'b',
      isMissing: false,
    });
    await expect(service.diff({ id, path: 'game/c.txt' })).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
  });

  it('is exported as JSON lines, oldest first', async () => {
    await write({ [START]: 'a' }, { title: 'first' });
    await write({ [START]: 'b' }, { title: 'second' });
    const { text, count } = await service.export({});
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).metadata.title);
    expect([lines, count]).toEqual([['first', 'second'], 2]);
  });
});
