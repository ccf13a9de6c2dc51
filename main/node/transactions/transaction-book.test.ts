import { expect, it } from 'vitest';
import type { Transaction } from '../../../shared/model/transactions/transaction.ts';
import { replayTransactions } from '../../core/history/replay-transactions.ts';
import { toVersion } from '../files/strict-text.ts';
import { toLine, toStatusLine, toValidatedLine } from './to-line.ts';
import { createTransactionBook } from './transaction-book.ts';

const PATH = 'game/scene/start.txt';
const label = { origin: 'agent' as const, group: 'turn', title: '' };
const hash = (text: string) => toVersion(Buffer.from(text));

const toWrite = (id: string, before: string, after: string): Transaction =>
  toLine({
    ...{ id, label, outcome: 'applied', isRecovered: false },
    files: [
      { path: PATH, before: hash(before), after: hash(after), bytes: 1, snapshot: null, restores: null, text: null },
    ],
  });

function createBook(lines: readonly Transaction[]) {
  const book = createTransactionBook();
  for (const line of lines) book.fold(line);
  return book;
}

it('replays the same text after the oldest lines were removed', () => {
  const write = toWrite('tx_1', 'old', 'new');
  const lines = [
    ...[write, toWrite('tx_2', 'new', 'old'), toStatusLine(write, 'rolled_back', 'tx_2')],
    ...[toStatusLine(write, 'applied', 'tx_3'), toStatusLine(write, 'applied')],
  ];
  for (const removed of [0, 1]) {
    const all = createBook(lines.slice(removed)).all();
    expect(all.map(({ patch_id: id }) => id)).toEqual(['tx_1', 'tx_2'].slice(removed));
    const last = all.at(-1)?.patch_id ?? '';
    expect(replayTransactions(all, last)?.files.get(PATH)?.hash).toBe(hash('old'));
  }
});

it('gives a write with a dry run the place of the write', () => {
  const planned = toValidatedLine('tx_1', label, [{ path: PATH, text: 'c', base: hash('b') }]);
  const book = createBook([planned, toWrite('tx_2', 'a', 'b'), toWrite('tx_1', 'b', 'c')]);
  expect(book.all().map(({ patch_id: id }) => id)).toEqual(['tx_2', 'tx_1']);
});
