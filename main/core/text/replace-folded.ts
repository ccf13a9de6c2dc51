import { diffChars } from 'diff';
import { type FoldedText, foldText } from './folded-text.ts';

/** Longer quotations are not searched tolerantly, to bound the comparison. */
const MAX_QUOTED = 20_000;
const MAX_PLACES = 20;
const DIFF_TIMEOUT_MS = 250;

/** A place in a text that equals a quotation except for widths of punctuation, blanks and line endings. */
export interface FoldedRange {
  /** The range in the original text. */
  start: number;
  end: number;
  /** The index of the first folded character. */
  at: number;
}

/** Finds the places of a quotation in a text, at most 20. */
export function findFolded(text: FoldedText, quoted: string): FoldedRange[] {
  if (quoted.length > MAX_QUOTED) return [];
  const whole = foldText(quoted).text;
  const found = findAll(text, whole);
  const trimmed = whole.trim();
  return found.length > 0 || trimmed === whole ? found : findAll(text, trimmed);
}

function findAll({ text, starts, ends }: FoldedText, sought: string): FoldedRange[] {
  const places: FoldedRange[] = [];
  if (sought.trim() === '') return places;
  for (let at = text.indexOf(sought); at >= 0 && places.length < MAX_PLACES; at = text.indexOf(sought, at + 1)) {
    places.push({ start: starts[at] ?? 0, end: ends[at + sought.length - 1] ?? 0, at });
  }
  return places;
}

/**
 * Replaces a tolerantly found place. Only what differs between `find` and `replace` is changed, so that the punctuation,
 * blanks and line endings of the text stay where the quotation merely had others.
 */
export function replaceFolded(
  original: string,
  { text, place, find, replace }: { text: FoldedText; place: FoldedRange; find: string; replace: string },
): string {
  const before = original.slice(0, place.start);
  const after = original.slice(place.end);
  const quoted = foldText(find);
  // The quotation may have line breaks around it that the place does not have.
  const skipped = text.text.startsWith(quoted.text, place.at) ? 0 : quoted.text.length - quoted.text.trimStart().length;
  const parts = diffChars(find, replace, { timeout: DIFF_TIMEOUT_MS });
  if (parts === undefined) return before + replace + after;

  const isKept = new Uint8Array(find.length);
  /** Inserted texts with their offsets in `find`, in order. */
  const inserted: { at: number; value: string }[] = [];
  let offset = 0;
  for (const { added, removed, value } of parts) {
    if (added) inserted.push({ at: offset, value });
    else {
      if (!removed) isKept.fill(1, offset, offset + value.length);
      offset += value.length;
    }
  }
  let next = 0;
  const takeInserted = (to: number): string => {
    let taken = '';
    for (let piece = inserted[next]; piece !== undefined && piece.at <= to; piece = inserted[next]) {
      taken += piece.value;
      next += 1;
    }
    return taken;
  };

  let made = '';
  let until = place.start;
  let previous = 0;
  let isPreviousKept = true;
  for (let token = 0; token < quoted.text.length; token += 1) {
    const index = place.at + token - skipped;
    const [from = 0, to = 0] = [quoted.starts[token], quoted.ends[token]];
    const [start = place.end, end = place.end] = [text.starts[index], text.ends[index]];
    if (token < skipped || start >= place.end) continue;
    made += takeInserted(previous);
    // Blanks of the text that the quotation has not, or has and keeps.
    const hadBlank = from > previous;
    const isBlankKept = !hadBlank || isKept.subarray(previous, from).some((kept) => kept === 1);
    if (start > until && isPreviousKept && isBlankKept) made += original.slice(until, start);
    made += takeInserted(from);
    isPreviousKept = isKept.subarray(from, to).every((kept) => kept === 1);
    // Several folded characters of one original are one piece.
    if (isPreviousKept && start >= until) made += original.slice(start, end);
    until = Math.max(until, end);
    previous = to;
  }
  made += takeInserted(find.length);
  return before + made + after;
}
