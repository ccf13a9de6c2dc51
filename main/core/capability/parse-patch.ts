import { AppError } from '../../../shared/errors.ts';

/** A run of lines to find and what stands there afterwards; `anchor` is a line above it. */
export interface PatchHunk {
  anchor: string | null;
  old: string[];
  now: string[];
}

export type PatchEntry =
  | { action: 'add'; path: string; text: string }
  | { action: 'delete'; path: string }
  | { action: 'update'; path: string; hunks: PatchHunk[] };

const HEAD = /^\*\*\* (Add|Delete|Update) File: (.+?)\s*$/;

/**
 * Reads a patch of the shape that models write: `*** Begin Patch`, then `*** Add File:`, `*** Delete File:` and
 * `*** Update File:` with `@@` hunks of ` `, `-` and `+` lines. `E_BAD_ARGS` says which line makes no sense.
 */
export function parsePatch(text: string): PatchEntry[] {
  const entries: PatchEntry[] = [];
  const lines = text.split(/\r?\n/);
  let entry: PatchEntry | null = null;
  let hunk: PatchHunk | null = null;
  for (const [index, line] of lines.entries()) {
    const head = HEAD.exec(line);
    if (head !== null) {
      entry = toEntry(head[1] ?? '', head[2] ?? '');
      hunk = null;
      entries.push(entry);
    } else if (/^\*\*\* (Begin Patch|End Patch|End of File)\s*$/.test(line)) {
      if (!line.startsWith('*** End of')) entry = null;
    } else if (entry?.action === 'add' && line.startsWith('+')) entry.text += `${line.slice(1)}\n`;
    else if (entry?.action === 'update' && line.startsWith('@@')) {
      hunk = { anchor: line.slice(2).trim() || null, old: [], now: [] };
      entry.hunks.push(hunk);
    } else if (entry?.action === 'update' && /^[ +-]/.test(line)) {
      if (hunk === null) {
        hunk = { anchor: null, old: [], now: [] };
        entry.hunks.push(hunk);
      }
      if (!line.startsWith('+')) hunk.old.push(line.slice(1));
      if (!line.startsWith('-')) hunk.now.push(line.slice(1));
    } else if (line.trim() !== '') throw notUnderstood(index + 1, line);
    else if (hunk !== null && isInsideHunk(lines, index)) {
      // Many models leave out the blank that marks an empty line as unchanged.
      hunk.old.push('');
      hunk.now.push('');
    }
  }
  if (entries.length === 0) throw notUnderstood(1, lines[0] ?? '');
  return entries;
}

function toEntry(action: string, path: string): PatchEntry {
  if (action === 'Add') return { action: 'add', path, text: '' };
  if (action === 'Delete') return { action: 'delete', path };
  return { action: 'update', path, hunks: [] };
}

function isInsideHunk(lines: readonly string[], index: number): boolean {
  const next = lines.slice(index + 1).find((line) => line !== '');
  return next !== undefined && /^[ +-]/.test(next);
}

function notUnderstood(number: number, line: string): AppError {
  return new AppError(
    'E_BAD_ARGS',
    `Line ${number} of the patch makes no sense: ${JSON.stringify(line.slice(0, 80))}.`,
    {
      details: { line: number },
      hint: 'Write *** Begin Patch, then *** Update File: path, @@, and lines that begin with a space, - or +; then *** End Patch.',
    },
  );
}

/**
 * The text with the hunks applied in order. Each hunk's old lines have to stand in the text, once, after the hunk before
 * it; blanks at the ends of lines do not count. `E_BAD_ARGS` names the hunk that does not fit.
 */
export function applyHunks(path: string, text: string, hunks: readonly PatchHunk[]): string {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const made: string[] = [];
  let cursor = 0;
  for (const [index, { anchor, old, now }] of hunks.entries()) {
    const fail = (why: string) =>
      new AppError('E_BAD_ARGS', `Change ${index + 1} of ${path} does not fit: ${why}. Nothing was changed.`, {
        details: { path, hunk: index + 1 },
        hint: 'Read the file again and copy the lines as they stand, with enough around them to be found once.',
      });
    let from = cursor;
    if (anchor !== null) {
      const found = lines.findIndex((line, at) => at >= cursor && line.trim() === anchor);
      if (found < 0) throw fail(`there is no line ${JSON.stringify(anchor.slice(0, 80))}`);
      // The line itself may be repeated as context.
      from = old[0]?.trim() === anchor ? found : found + 1;
    }
    const places = old.length === 0 ? [toInsertion(lines, anchor, from)] : findAll(lines, old, from);
    const [place] = places;
    if (place === undefined) throw fail('its lines are not there');
    if (places.length > 1 && anchor === null) throw fail(`its lines are there ${places.length} times`);
    made.push(...lines.slice(cursor, place), ...now);
    cursor = place + old.length;
  }
  return [...made, ...lines.slice(cursor)].join('\n');
}

/** Where lines go that replace none: below their anchor, or at the end of the text but above its last line feed. */
function toInsertion(lines: readonly string[], anchor: string | null, from: number): number {
  if (anchor !== null) return from;
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

function findAll(lines: readonly string[], wanted: readonly string[], from: number): number[] {
  const places: number[] = [];
  for (let at = from; at + wanted.length <= lines.length; at++) {
    if (wanted.every((line, index) => lines[at + index]?.trimEnd() === line.trimEnd())) places.push(at);
  }
  return places;
}
