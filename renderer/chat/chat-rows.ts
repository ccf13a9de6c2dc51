import type { ChatItem, ToolAction } from '../../shared/model/chat.ts';
import type { HistoryGroup } from '../../shared/model/snapshot.ts';
import { type AnswerPart, createAnswerParts } from './text/answer-parts.ts';

export type ItemOf<K extends ChatItem['kind']> = Extract<ChatItem, { kind: K }>;
/** An item that can be folded: a finished call, or thinking or a progress note between calls. */
export type FoldedItem = ItemOf<'tool'> | ItemOf<'thinking'> | ItemOf<'note'>;

/** Category of a folded call, for summaries such as “read 2 scenes · checked the script”. */
export type CountedAction = ToolAction | 'failed' | 'refused';

/** A rendered row: an item, a part of a long answer, or a run of finished calls folded into one line. */
export type ChatRow =
  | { kind: 'item'; id: string; item: ChatItem; last: boolean; part?: AnswerPart }
  | { kind: 'fold'; id: string; items: FoldedItem[]; counts: { action: CountedAction; count: number }[] }
  | AsideFold;

/** A run of items that the user set aside. */
export interface AsideFold {
  kind: 'aside';
  id: string;
  items: ChatItem[];
}

/** True for what the user or the assistant said, as opposed to work and its ends. */
export function isMessage({ kind }: ChatItem): boolean {
  return kind === 'user' || kind === 'assistant' || kind === 'completion' || kind === 'plan' || kind === 'question';
}

/** Reasons of ends that are not shown, because the row above already shows what comes next. */
const SILENT_ENDS: ReadonlySet<string> = new Set(['done', 'review', 'answer']);

/** True if `item` can be folded. `next` is the item below: a failed call is folded once the assistant continued. */
function isFoldable(item: ChatItem, next: ChatItem | undefined): item is FoldedItem {
  if (item.kind === 'note') return item.level === 'progress';
  if (item.kind === 'tool' && (item.state === 'failed' || item.state === 'refused'))
    return next?.turn === item.turn && next.kind !== 'end';
  // A skill is named, because it decides how the rest is written; a picture that was made is what the user waits for.
  if (item.kind === 'tool') return item.state === 'done' && item.action !== 'skill' && item.assets === undefined;
  return item.kind === 'thinking' && !item.streaming;
}

function isShown(item: ChatItem): boolean {
  if (item.kind === 'end') return item.unchanged === true || !SILENT_ENDS.has(item.reason);
  if (item.kind === 'assistant') return item.streaming || item.text.trim() !== '';
  if (item.kind === 'thinking') return item.streaming || item.text.trim() !== '';
  return true;
}

/** Counts calls by category, in order of first appearance. A file that is read twice counts once. */
export function countToolActions(items: readonly FoldedItem[]): { action: CountedAction; count: number }[] {
  const counts = new Map<CountedAction, { calls: number; paths: Set<string> }>();
  for (const item of items) {
    if (item.kind !== 'tool') continue;
    const action = item.state === 'failed' || item.state === 'refused' ? item.state : item.action;
    const entry = counts.get(action) ?? { calls: 0, paths: new Set<string>() };
    if (item.paths.length === 0 || action === 'failed' || action === 'refused' || action === 'ran') entry.calls += 1;
    else for (const path of item.paths) entry.paths.add(path);
    counts.set(action, entry);
  }
  return [...counts].map(([action, { calls, paths }]) => ({ action, count: calls + paths.size }));
}

/**
 * Creates a function that converts items to rows. Consecutive finished tool calls, with thinking and progress notes
 * between them, become one row; running, failed and pending items keep their own; a long answer becomes several rows.
 * Incremental: each call processes only turns that are new or changed since the last call.
 */
export function createChatRows(): (items: readonly ChatItem[]) => readonly ChatRow[] {
  let known: readonly ChatItem[] = [];
  let placed: readonly PlacedRow[] = [];
  let rows: readonly ChatRow[] = [];
  const answers = new Map<string, ReturnType<typeof createAnswerParts>>();

  const addItem = (item: ChatItem, start: number, last: boolean, to: PlacedRow[]): void => {
    if (item.kind !== 'assistant') {
      to.push({ row: { kind: 'item', id: item.id, item, last }, start });
      return;
    }
    const toParts = answers.get(item.id) ?? createAnswerParts();
    answers.set(item.id, toParts);
    const parts = toParts(item.text);
    if (parts.length === 0) to.push({ row: { kind: 'item', id: item.id, item, last }, start });
    for (const part of parts) {
      const id = part.index === 0 ? item.id : `${item.id}#${part.index}`;
      to.push({ row: { kind: 'item', id, item, last: last && part.index === parts.length - 1, part }, start });
    }
  };

  const toPlacedRows = (items: readonly ChatItem[], from: number, end: number): PlacedRow[] => {
    const found: PlacedRow[] = [];
    const shown = items
      .slice(from, end)
      .flatMap((item, index) => (isShown(item) ? [{ item, index: from + index }] : []));
    for (let at = 0; at < shown.length; ) {
      const { item, index } = shown[at] as (typeof shown)[number];
      const aside = takeAside(shown, at);
      if (aside.length > 0) {
        found.push({ row: { kind: 'aside', id: `aside:${item.id}`, items: aside }, start: index });
        at += aside.length;
        continue;
      }
      const run = takeRun(shown, at);
      if (run.some(({ kind }) => kind === 'tool')) {
        found.push({ row: { kind: 'fold', id: item.id, items: run, counts: countToolActions(run) }, start: index });
        at += run.length;
      } else {
        addItem(item, index, at === shown.length - 1, found);
        at += 1;
      }
    }
    return found;
  };

  return (items) => {
    if (items === known) return rows;
    const above = countAbove(known, items);
    const turn = above > 0 ? known.findIndex(startsTurn) : -1;
    if (turn >= 0) {
      // Earlier items change no row from the first known turn on; its first row is only made to know what follows the others.
      const earlier = toPlacedRows(items, 0, above + turn + 1).slice(0, -1);
      const kept = placed.filter(({ start }) => start >= turn);
      placed = [...earlier, ...kept.map(({ row, start }) => ({ row, start: start + above }))];
    } else {
      const from = toLastTurn(items, toFirstChange(known, items));
      placed = [...placed.filter(({ start }) => start < from), ...toPlacedRows(items, from, items.length)];
    }
    known = items;
    rows = placed.map(({ row }) => row);
    return rows;
  };
}

/** A row with the index of its first item. */
interface PlacedRow {
  row: ChatRow;
  start: number;
}

/** Returns the number of items above the known ones; 0 if anything else changed. */
function countAbove(old: readonly ChatItem[], now: readonly ChatItem[]): number {
  const count = now.length - old.length;
  return old.length > 0 && count > 0 && old.every((item, index) => item === now[index + count]) ? count : 0;
}

function toFirstChange(old: readonly ChatItem[], now: readonly ChatItem[]): number {
  const length = Math.min(old.length, now.length);
  let index = 0;
  while (index < length && old[index] === now[index]) index += 1;
  return index;
}

/** Returns the items from `start` that were set aside. */
function takeAside(items: readonly { item: ChatItem }[], start: number): ChatItem[] {
  const run: ChatItem[] = [];
  for (let at = start; items[at]?.item.aside !== undefined; at += 1) run.push((items[at] as { item: ChatItem }).item);
  return run;
}

/** Returns the index of the last user message before `index` that counts. Rows above it do not depend on items below it. */
function toLastTurn(items: readonly ChatItem[], index: number): number {
  return Math.max(0, items.slice(0, index).findLastIndex(startsTurn));
}

/** True for a user message that counts: no row reaches across it. */
function startsTurn({ kind, aside }: ChatItem): boolean {
  return kind === 'user' && aside === undefined;
}

/** Returns foldable items from `start`, without trailing thinking and progress notes, which belong to the next run. */
function takeRun(items: readonly { item: ChatItem }[], start: number): FoldedItem[] {
  const run: FoldedItem[] = [];
  for (let index = start; index < items.length; index += 1) {
    const item = items[index]?.item;
    if (!item || item.aside !== undefined || !isFoldable(item, items[index + 1]?.item)) break;
    run.push(item);
  }
  while (run.length > 0 && run.at(-1)?.kind !== 'tool') run.pop();
  return run;
}

/** Returns true if a turn produced something: then the user lets the assistant go on, else it tries again. */
export function hasWorked(items: readonly ChatItem[], turn: string): boolean {
  return items.some(
    (item) =>
      item.turn === turn &&
      ((item.kind === 'assistant' && item.text.trim() !== '') || item.kind === 'tool' || item.kind === 'plan'),
  );
}

/** True if an accepted proposal was reverted, from the chat or from the history. */
export function isTakenBack(item: ItemOf<'review'>, groups: readonly HistoryGroup[] | null): boolean {
  if (item.state !== 'accepted' || item.group === undefined) return false;
  if (item.undone && item.undone.length === item.files.length) return true;
  return groups?.some(({ id, isUndone }) => id === item.group && isUndone) ?? false;
}

/** Returns the decision on the last proposal as a key of `chat:status`; null if it is pending or there is none. */
export function toLastDecision(
  items: readonly ChatItem[],
  groups: readonly HistoryGroup[] | null,
): 'accepted' | 'undone' | 'rejected' | null {
  const last = items.findLast((item) => item.kind === 'review');
  if (last?.kind !== 'review' || last.state === 'pending' || last.state === 'replaced') return null;
  return isTakenBack(last, groups) ? 'undone' : last.state;
}
