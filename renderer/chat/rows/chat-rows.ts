import type { ChatItem } from '../../../shared/model/chat.ts';
import type { HistoryGroup } from '../../../shared/model/snapshot.ts';
import { type AnswerPart, createAnswerParts } from '../text/answer-parts.ts';

export type ItemOf<K extends ChatItem['kind']> = Extract<ChatItem, { kind: K }>;
/** A finished call, and what was thought or told about progress on the way. */
export type FoldedItem = ItemOf<'tool'> | ItemOf<'thinking'> | ItemOf<'note'>;

/** What a folded call did, so that a row can say “read 2 scenes · checked the script”. */
export type ToolDeed =
  | 'read'
  | 'looked'
  | 'searched'
  | 'checked'
  | 'drafted'
  | 'played'
  | 'ran'
  | 'other'
  | 'failed'
  | 'refused';

/** A row as it is drawn: an item, a part of a long answer, or a run of finished work folded into one quiet line. */
export type ChatRow =
  | { kind: 'item'; id: string; item: ChatItem; last: boolean; part?: AnswerPart }
  | { kind: 'fold'; id: string; items: FoldedItem[]; deeds: { deed: ToolDeed; count: number }[] };

const DEEDS: Readonly<Record<string, ToolDeed>> = {
  read_file: 'read',
  list_files: 'looked',
  list_project_resources: 'looked',
  glob_file_search: 'looked',
  search_files: 'searched',
  grep: 'searched',
  codebase_search: 'searched',
  validate_script: 'checked',
  read_lints: 'checked',
  write_to_file: 'drafted',
  replace_in_file: 'drafted',
  apply_patch: 'drafted',
  delete_file: 'drafted',
  update_memory: 'drafted',
  generate_character_profile: 'drafted',
  preview_scene: 'played',
  execute_command: 'ran',
};

/** Ends that go without saying: the row above them already shows what comes next. */
const SILENT_ENDS: ReadonlySet<string> = new Set(['done', 'review', 'answer']);

/** `next` is what stands below: a failed call is folded once the assistant went on from it. */
function isFoldable(item: ChatItem, next: ChatItem | undefined): item is FoldedItem {
  if (item.kind === 'note') return item.level === 'progress';
  if (item.kind === 'tool' && (item.state === 'failed' || item.state === 'refused'))
    return next?.turn === item.turn && next.kind !== 'end';
  return (item.kind === 'tool' && item.state === 'done') || (item.kind === 'thinking' && !item.streaming);
}

function isShown(item: ChatItem): boolean {
  if (item.kind === 'end') return !SILENT_ENDS.has(item.reason);
  if (item.kind === 'assistant') return item.streaming || item.text.trim() !== '';
  if (item.kind === 'thinking') return item.streaming || item.text.trim() !== '';
  return true;
}

/** Counts what calls did, in the order in which each kind first happened; a file read twice counts once. */
export function toDeeds(items: readonly FoldedItem[]): { deed: ToolDeed; count: number }[] {
  const counts = new Map<ToolDeed, { calls: number; paths: Set<string> }>();
  for (const item of items) {
    if (item.kind !== 'tool') continue;
    const deed = item.state === 'failed' || item.state === 'refused' ? item.state : (DEEDS[item.tool] ?? 'other');
    const entry = counts.get(deed) ?? { calls: 0, paths: new Set<string>() };
    if (item.paths.length === 0 || deed === 'failed' || deed === 'refused' || deed === 'ran') entry.calls += 1;
    else for (const path of item.paths) entry.paths.add(path);
    counts.set(deed, entry);
  }
  return [...counts].map(([deed, { calls, paths }]) => ({ deed, count: calls + paths.size }));
}

/**
 * Turns the items into rows. Finished tool calls that follow each other, and what was thought and told between them,
 * become one row; what runs, ended in a failure or waits for the writer keeps its own; a long answer becomes several.
 * Each call looks only at the turns that are new or different since the last one.
 */
export function createChatRows(): (items: readonly ChatItem[]) => readonly ChatRow[] {
  let known: readonly ChatItem[] = [];
  let rows: ChatRow[] = [];
  /** For each row the index of its first item. */
  let starts: number[] = [];
  const answers = new Map<string, ReturnType<typeof createAnswerParts>>();

  const add = (row: ChatRow, start: number): void => {
    rows.push(row);
    starts.push(start);
  };

  const addItem = (item: ChatItem, start: number, last: boolean): void => {
    if (item.kind !== 'assistant') {
      add({ kind: 'item', id: item.id, item, last }, start);
      return;
    }
    const toParts = answers.get(item.id) ?? createAnswerParts();
    answers.set(item.id, toParts);
    const parts = toParts(item.text);
    if (parts.length === 0) add({ kind: 'item', id: item.id, item, last }, start);
    for (const part of parts) {
      const id = part.index === 0 ? item.id : `${item.id}#${part.index}`;
      add({ kind: 'item', id, item, last: last && part.index === parts.length - 1, part }, start);
    }
  };

  return (items) => {
    if (items === known) return rows;
    const from = toLastTurn(items, toFirstChange(known, items));
    const kept = starts.findLastIndex((start) => start < from) + 1;
    rows = rows.slice(0, kept);
    starts = starts.slice(0, kept);
    known = items;
    const shown = items.flatMap((item, index) => (index >= from && isShown(item) ? [{ item, index }] : []));
    for (let at = 0; at < shown.length; ) {
      const { item, index } = shown[at] as (typeof shown)[number];
      const run = takeRun(shown, at);
      if (run.some(({ kind }) => kind === 'tool')) {
        add({ kind: 'fold', id: item.id, items: run, deeds: toDeeds(run) }, index);
        at += run.length;
      } else {
        addItem(item, index, at === shown.length - 1);
        at += 1;
      }
    }
    return rows;
  };
}

function toFirstChange(old: readonly ChatItem[], now: readonly ChatItem[]): number {
  const length = Math.min(old.length, now.length);
  let index = 0;
  while (index < length && old[index] === now[index]) index += 1;
  return index;
}

/** The last message of the writer before `index`: nothing above it can look different for what comes below. */
function toLastTurn(items: readonly ChatItem[], index: number): number {
  for (let at = index - 1; at > 0; at -= 1) if (items[at]?.kind === 'user') return at;
  return 0;
}

/** The rows of a conversation that does not change. */
export function toChatRows(items: readonly ChatItem[]): readonly ChatRow[] {
  return createChatRows()(items);
}

/** Foldable items from `start` on. Thinking and news of progress at the end stay outside: they belong to what comes. */
function takeRun(items: readonly { item: ChatItem }[], start: number): FoldedItem[] {
  const run: FoldedItem[] = [];
  for (let index = start; index < items.length; index += 1) {
    const item = items[index]?.item;
    if (!item || !isFoldable(item, items[index + 1]?.item)) break;
    run.push(item);
  }
  while (run.length > 0 && run.at(-1)?.kind !== 'tool') run.pop();
  return run;
}

/**
 * What *Try again* says: her own words when the turn came to nothing, else null, which means “carry on from where you
 * stopped”.
 */
export function toRetryText(items: readonly ChatItem[], turn: string): string | null {
  const own = items.filter((item) => item.turn === turn);
  const worked = own.some(
    (item) => (item.kind === 'assistant' && item.text.trim() !== '') || item.kind === 'tool' || item.kind === 'plan',
  );
  const request = own.find((item) => item.kind === 'user');
  return worked || !request ? null : request.text;
}

/** The question that still waits for her, if one does. */
export function pendingQuestion(items: readonly ChatItem[]): ItemOf<'question'> | null {
  const last = items.findLast((item) => item.kind === 'question');
  return last && last.answer === null ? last : null;
}

/** Whether an accepted proposal was taken back since, in whatever way. */
export function isTakenBack(item: ItemOf<'review'>, groups: readonly HistoryGroup[] | null): boolean {
  if (item.state !== 'accepted' || item.group === undefined) return false;
  return groups?.some(({ id, isUndone }) => id === item.group && isUndone) ?? false;
}

/** What became of the last proposal, as a key of `chat:status`; null while it waits, and when there is none. */
export function toLastDecision(
  items: readonly ChatItem[],
  groups: readonly HistoryGroup[] | null,
): 'accepted' | 'undone' | 'rejected' | null {
  const last = items.findLast((item) => item.kind === 'review');
  if (last?.kind !== 'review' || last.state === 'pending' || last.state === 'replaced') return null;
  return isTakenBack(last, groups) ? 'undone' : last.state;
}
