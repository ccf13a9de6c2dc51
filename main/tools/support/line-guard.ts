import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { shorten } from '../../../shared/text/shorten.ts';
import type { TextFile } from '../../core/ports/reader.ts';
import { foldText } from '../../core/text/folded-text.ts';
import { numberLines } from '../../core/text/numbered-lines.ts';
import { toShownVersion } from './change-answer.ts';

const AROUND = 3;
const MAX_SHOWN = 24;
const MAX_LINE_LENGTH = 200;
const MAX_PLACES = 5;

/** What a call that names lines by number gives as a check that the numbers still fit. */
export const GUARD_ARGUMENTS = {
  expect: z.string().max(2000).optional().describe('How that line begins, as you read it'),
  version: z.string().max(64).optional().describe('The version that your read of the file returned, instead of expect'),
};

interface LineGuard {
  /** The line that `expect` is about; 0: before the first. */
  line: number;
  /** The last line of the call. */
  to: number;
  expect: string | undefined;
  version: string | undefined;
}

/**
 * Requires that the caller's line numbers are those of the current text: by the beginning of the line, or by the version. Throws
 * `E_CONFLICT` with the current lines and their numbers.
 */
export function requireLines(file: TextFile, lines: readonly string[], guard: LineGuard): void {
  const { path, version } = file;
  const { line, to, expect } = guard;
  if (line > lines.length || to > lines.length) {
    throw toRefusal(file, lines, guard, `${path} has only ${lines.length} lines`);
  }
  if (expect !== undefined) {
    if (line === 0 || isBeginning(lines[line - 1] ?? '', expect)) return;
    throw toRefusal(file, lines, guard, `Line ${line} of ${path} does not begin with what you expect`);
  }
  if (guard.version === undefined) {
    throw toRefusal(file, lines, guard, 'Neither expect nor version was given, so the line numbers could be old');
  }
  const given = guard.version.trim().toLowerCase();
  if (given.length >= toShownVersion(version).length && version.startsWith(given)) return;
  throw toRefusal(file, lines, guard, `${path} was changed since the version ${given.slice(0, 16)}`);
}

/** True if a line begins with the expected text; a blank line is expected as a blank text. */
function isBeginning(line: string, expected: string): boolean {
  const [first = ''] = expected.replace(/^[ \t]*\d{1,9}\| ?/, '').split('\n');
  const sought = foldText(first).text.trim();
  const there = foldText(line).text.trim();
  return sought === '' ? there === '' : there.startsWith(sought);
}

function toRefusal(
  { path, version }: TextFile,
  lines: readonly string[],
  { line, to, expect }: LineGuard,
  reason: string,
): AppError {
  const from = Math.max(1, Math.min(line, lines.length) - AROUND);
  const end = Math.min(lines.length, to + AROUND, from + MAX_SHOWN - 1);
  const shown = lines.slice(from - 1, end).map((text) => shorten(text, MAX_LINE_LENGTH));
  const places = expect === undefined || expect.trim() === '' ? [] : findBeginnings(lines, expect);
  return new AppError('E_CONFLICT', `${reason}. Nothing was changed.`, {
    details: {
      ...{ path, lines: numberLines(shown, from), version: toShownVersion(version) },
      ...(places.length > 0 && { expectIsAt: places }),
    },
    hint:
      'lines shows what is there now. Call again with these numbers and this version, or with expect as the line begins now.' +
      (places.length > 0 ? ` What you expect is in line ${places.join(', ')}.` : ''),
    reason: 'text.otherLine',
  });
}

function findBeginnings(lines: readonly string[], expect: string): number[] {
  const places: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (isBeginning(line, expect)) places.push(index + 1);
    if (places.length === MAX_PLACES) break;
  }
  return places;
}
