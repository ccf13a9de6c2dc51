import type { ChatItem } from '../../shared/model/chat.ts';
import type { HistoryGroup } from '../../shared/model/snapshot.ts';

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

/** A row as it is drawn: an item of its own, or a run of finished work folded into one quiet line. */
export type ChatRow =
  | { kind: 'item'; id: string; item: ChatItem; last: boolean }
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
 * become one row; what runs, ended in a failure or waits for the writer keeps its own.
 */
export function toChatRows(items: readonly ChatItem[]): ChatRow[] {
  const shown = items.filter(isShown);
  const rows: ChatRow[] = [];
  for (let index = 0; index < shown.length; ) {
    const run = takeRun(shown, index);
    const first = run[0];
    if (first && run.some((item) => item.kind === 'tool')) {
      rows.push({ kind: 'fold', id: first.id, items: run, deeds: toDeeds(run) });
      index += run.length;
      continue;
    }
    const item = shown[index];
    if (item) rows.push({ kind: 'item', id: item.id, item, last: index === shown.length - 1 });
    index += 1;
  }
  return rows;
}

/** Foldable items from `start` on. Thinking and news of progress at the end stay outside: they belong to what comes. */
function takeRun(items: readonly ChatItem[], start: number): FoldedItem[] {
  const run: FoldedItem[] = [];
  for (let index = start; index < items.length; index += 1) {
    const item = items[index];
    if (!item || !isFoldable(item, items[index + 1])) break;
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
