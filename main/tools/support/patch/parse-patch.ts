import { AppError } from '../../../../shared/errors.ts';

/** Lines to find and their replacement; `anchor` is a line above them. */
export interface PatchHunk {
  anchor: string | null;
  old: string[];
  now: string[];
}

export type PatchEntry =
  | { action: 'add'; path: string; text: string }
  | { action: 'delete'; path: string }
  | { action: 'update'; path: string; hunks: PatchHunk[] };

const HEAD = /^\*\*\* (Add|Delete|Update) File: (.*)$/;
/** Maximum line comparisons per file. A real patch needs a few per line; a hostile one would need billions. */
const MAX_COMPARISONS = 20_000_000;

/**
 * Parses a patch in the format that models write: `*** Begin Patch`, then `*** Add File:`, `*** Delete File:` and
 * `*** Update File:` with `@@` hunks of ` `, `-` and `+` lines. Throws `E_BAD_ARGS` with the number of an invalid line.
 */
export function parsePatch(text: string): PatchEntry[] {
  const entries: PatchEntry[] = [];
  const lines = text.split(/\r?\n/);
  const following = findFollowing(lines);
  let entry: PatchEntry | null = null;
  let hunk: PatchHunk | null = null;
  for (const [index, line] of lines.entries()) {
    const head = HEAD.exec(line);
    const path = head?.[2]?.trim() ?? '';
    if (head !== null && path !== '') {
      entry = toEntry(head[1] ?? '', path);
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
    else if (hunk !== null && /^[ +-]/.test(following[index] ?? '')) {
      // Many models omit the space before an unchanged empty line.
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

/** Returns for each line the next non-empty one. */
function findFollowing(lines: readonly string[]): (string | undefined)[] {
  const following = new Array<string | undefined>(lines.length);
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    following[index] = lines[index + 1] === '' ? following[index + 1] : lines[index + 1];
  }
  return following;
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

/** What to do with old lines that do not occur exactly. */
export interface PatchTolerance {
  /** Returns where the lines stand with small differences; null for nowhere. Throws if that is not unique. */
  find(lines: readonly string[], old: readonly string[], from: number): number | null;
  /** Returns the new lines, with the file's own where old and new agree. */
  merge(there: readonly string[], hunk: Pick<PatchHunk, 'old' | 'now'>): string[];
  toFailure(hunk: { number: number; old: readonly string[] }): AppError;
}

/**
 * Applies hunks in order. The old lines of each hunk must occur exactly once after the previous hunk; trailing spaces are ignored.
 * Throws `E_BAD_ARGS` with the hunk that does not match.
 */
export function applyHunks(
  path: string,
  text: string,
  hunks: readonly PatchHunk[],
  tolerance?: PatchTolerance,
): string {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const finder = createFinder(path, lines);
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
      const found = finder.findAnchor(anchor, cursor);
      if (found < 0) throw fail(`there is no line ${JSON.stringify(anchor.slice(0, 80))}`);
      // The anchor may be repeated as context.
      from = old[0]?.trim() === anchor ? found : found + 1;
    }
    const places = old.length === 0 ? [toInsertion(lines, anchor, from)] : finder.findAll(old, from);
    const similar = places.length === 0 ? (tolerance?.find(lines, old, from) ?? null) : null;
    const place = places[0] ?? similar;
    if (place === undefined || place === null) {
      throw tolerance?.toFailure({ number: index + 1, old }) ?? fail('its lines are not there');
    }
    if (places.length > 1 && anchor === null) throw fail(`its lines are there ${places.length} times`);
    for (let at = cursor; at < place; at += 1) made.push(lines[at] ?? '');
    const added =
      similar === null || !tolerance ? now : tolerance.merge(lines.slice(place, place + old.length), { old, now });
    for (const line of added) made.push(line);
    cursor = place + old.length;
  }
  return [...made, ...lines.slice(cursor)].join('\n');
}

/** Returns where added lines without old ones belong: below the anchor, or at the end before the final line feed. */
function toInsertion(lines: readonly string[], anchor: string | null, from: number): number {
  if (anchor !== null) return from;
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

/** Finds lines in a text by the index of their first line. Throws `E_TOO_LARGE` beyond the maximum of comparisons. */
function createFinder(path: string, lines: readonly string[]) {
  const bare = lines.map((line) => line.trimEnd());
  const places = new Map<string, number[]>();
  for (const [at, line] of bare.entries()) {
    const known = places.get(line);
    if (known) known.push(at);
    else places.set(line, [at]);
  }
  let left = MAX_COMPARISONS;
  function spend(): void {
    left -= 1;
    if (left > 0) return;
    throw new AppError('E_TOO_LARGE', `The changes of ${path} repeat the same lines too often. Nothing was changed.`, {
      details: { path },
      hint: 'Make fewer changes at a time, or write the whole file with write_to_file.',
    });
  }
  return {
    /** Returns the index of the first equal line, ignoring surrounding spaces; -1 for none. */
    findAnchor(anchor: string, from: number): number {
      for (let at = from; at < bare.length; at += 1) {
        spend();
        if (bare[at]?.trimStart() === anchor) return at;
      }
      return -1;
    },
    findAll(wanted: readonly string[], from: number): number[] {
      const sought = wanted.map((line) => line.trimEnd());
      const found: number[] = [];
      for (const at of places.get(sought[0] ?? '') ?? []) {
        spend();
        if (at < from || at + sought.length > bare.length) continue;
        let length = 1;
        while (length < sought.length && bare[at + length] === sought[length]) {
          length += 1;
          spend();
        }
        if (length === sought.length) found.push(at);
      }
      return found;
    },
  };
}
