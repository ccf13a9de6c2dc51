import { AppError } from '../../../shared/errors.ts';
import { unescapeLines } from '../../core/capability/parsing/understand-text.ts';
import { MAX_TEXT_BYTES } from '../../core/proposal/text-change.ts';
import { foldText } from '../../core/text/folded-text.ts';
import { findNearestLines } from '../../core/text/nearest-lines.ts';
import { withoutLineNumbers } from '../../core/text/numbered-lines.ts';
import { findFolded, replaceFolded } from '../../core/text/replace-folded.ts';

const MAX_LISTED = 20;

/** A replacement of a quoted text; `note` says how the quotation was understood, if not literally. */
export interface QuotedChange {
  text: string;
  count: number;
  note?: string;
}

/** Other readings of a quotation, each with what was taken for it. The replacement is read in the same way. */
const READINGS: readonly { read(text: string): string | null; note: string }[] = [
  { read: withoutLineNumbers, note: 'The line numbers in find were left out.' },
  { read: unescapeLines, note: 'The \\n in find were taken as line breaks.' },
  {
    read: (text) => (/&(?:lt|gt|amp|quot|#91);/.test(text) ? unescapeEntities(text) : null),
    note: 'The &…; in find were taken as the characters they stand for.',
  },
];

/**
 * Replaces every occurrence of a quotation, or the only place that differs from it in widths of punctuation, blanks, line
 * endings or the way it was sent. Throws `E_NOT_FOUND` with the nearest lines or the places.
 */
export function replaceQuoted(
  path: string,
  text: string,
  { find, replace }: { find: string; replace: string },
): QuotedChange {
  const literal = replaceLiteral(text, find, replace);
  if (literal !== null) return literal;
  for (const { read, note } of READINGS) {
    const meant = read(find);
    if (meant === null) continue;
    const replaced = replaceLiteral(text, meant, read(replace) ?? replace);
    if (replaced?.count === 1) return { ...replaced, note };
  }
  return replaceTolerantly(path, text, { find, replace });
}

/** Replaces every literal occurrence, with the file's line endings. Null for none. Throws `E_TOO_LARGE`. */
export function replaceLiteral(text: string, find: string, replace: string): QuotedChange | null {
  const isPaired = find.includes('\n') && !find.includes('\r') && text.includes('\r\n');
  for (const [sought, by] of [
    [find, replace],
    ...(isPaired ? [[find.replaceAll('\n', '\r\n'), replace.replace(/\r?\n/g, '\r\n')] as const] : []),
  ] as const) {
    const parts = text.split(sought);
    if (parts.length === 1) continue;
    const count = parts.length - 1;
    refuseTooLong(text.length + count * (by.length - sought.length));
    return { text: parts.join(by), count };
  }
  return null;
}

/** Throws `E_POLICY_VIOLATION` when a replacement would take all text out of a file. */
export function refuseEmptied(
  path: string,
  { before, after, count }: { before: string; after: string; count: number },
): void {
  if (after.trim() !== '' || before.trim() === '') return;
  throw new AppError('E_POLICY_VIOLATION', `That would leave ${path} empty. Nothing was changed.`, {
    details: { path, count },
    hint: 'Use a narrower find. If the file is to be emptied, say so with write_to_file.',
    reason: 'file.wouldBeEmpty',
  });
}

/** Before the text is made: one character replaced everywhere by a long text takes little time and all memory. */
function refuseTooLong(length: number): void {
  if (length <= MAX_TEXT_BYTES) return;
  throw new AppError('E_TOO_LARGE', `The result would have ${length} characters; the limit is ${MAX_TEXT_BYTES}.`, {
    hint: 'Use a find that is there less often, or a shorter replace.',
  });
}

function replaceTolerantly(path: string, text: string, asked: { find: string; replace: string }): QuotedChange {
  const folded = foldText(text);
  const readings = [asked.find, ...READINGS.map(({ read }) => read(asked.find))].filter((found) => found !== null);
  for (const [index, find] of readings.entries()) {
    const places = findFolded(folded, find);
    const [place] = places;
    if (place === undefined) continue;
    if (places.length > 1)
      throw toAmbiguous(
        path,
        places.map(({ start }) => toLineNumber(text, start)),
      );
    const reading = index === 0 ? undefined : READINGS.find(({ read }) => read(asked.find) === find);
    const replace = reading?.read(asked.replace) ?? asked.replace;
    const line = toLineNumber(text, place.start);
    return {
      text: replaceFolded(text, { text: folded, place, find, replace }),
      count: 1,
      note:
        `find is not in the file literally; line ${line} was taken, which differs only in the width of punctuation, blanks ` +
        'or line endings. Where find and replace agree, the characters of the file were kept.',
    };
  }
  throw toNotFound(path, text, asked.find);
}

function toAmbiguous(path: string, lines: readonly number[]): AppError {
  const listed = lines.slice(0, MAX_LISTED).join(', ');
  return new AppError(
    'E_NOT_FOUND',
    `find is not in ${path} literally; without punctuation widths and blanks it is there ${lines.length} times, in lines ${listed}. Nothing was changed.`,
    {
      details: { path, lines: lines.slice(0, MAX_LISTED) },
      hint: 'Quote more of what stands around the one place, or use replace_lines with its number.',
      reason: 'text.notFound',
    },
  );
}

/** Returns the error for a quotation that is not there, with the lines that resemble it most. */
export function toNotFound(path: string, text: string, quoted: string, what = 'find'): AppError {
  const nearest = findNearestLines(text, quoted);
  return new AppError('E_NOT_FOUND', `${what} is not in ${path}. Nothing was changed.`, {
    details: { path, ...(nearest.length > 0 && { nearest }) },
    hint:
      nearest.length > 0
        ? 'nearest shows the most similar lines; «file≠yours» marks each difference. Quote the file, or use replace_lines.'
        : 'Nothing similar is there. Read the file with read_file, or look for the text with search_files.',
    reason: 'text.notFound',
  });
}

/** The number of the line at an offset. */
function toLineNumber(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#91': '[' };

function unescapeEntities(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|#91);/g, (_, name: string) => ENTITIES[name] ?? '');
}
