import { z } from 'zod';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import type { Hunk } from '../../../shared/model/diff.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import { diagnoseScene } from '../../../shared/script/diagnostics/diagnose.ts';
import { shorten } from '../../../shared/text/shorten.ts';
import type { ToolContext, ToolPorts } from '../../core/capability/define-tool.ts';
import type { Reader } from '../../core/ports/reader.ts';
import { currentProjectIndex, isScene } from '../../core/project/read-project-index.ts';
import { DRAFT_NOTE } from '../../core/proposal/text-change.ts';
import { countLines, toLineDiff } from '../../core/text/line-diff.ts';
import { toTextLines } from '../../core/text/numbered-lines.ts';
import { toTextVersion } from '../../core/text/text-version.ts';

/** Characters of a version that the model is shown. */
const SHOWN_VERSION_LENGTH = 8;
const AROUND = 2;
const MAX_HUNK_LINES = 6;
const MAX_HUNKS = 8;
const MAX_LINE_LENGTH = 200;
const MAX_PROBLEMS = 10;

const LOOK_NOTE = 'Only a look: nothing was drafted. Call again without dryRun to draft it.';
const NO_CHANGE_NOTE = 'The file already reads like this, so nothing was changed.';

const FoundProblem = z.object({ line: z.int().min(1), message: z.string(), fixHint: z.string().optional() });

/** The answer to the model about one changed file: counts, the lines around each change and what it broke. */
export const ChangeAnswer = z.object({
  path: z.string(),
  drafted: z.boolean(),
  added: z.int().min(0),
  removed: z.int().min(0),
  version: z.string(),
  lines: z.string().optional(),
  newProblems: z.array(FoundProblem).optional(),
  leftOut: z.string().optional(),
  note: z.string(),
});
export type ChangeAnswer = z.infer<typeof ChangeAnswer>;

/** A text to be drafted; `base` is the version that it was made from. */
export interface NewText {
  path: string;
  before: string | null;
  after: string;
  base: string | null;
}

type ChangePorts = Pick<ToolPorts, 'reader' | 'writer'>;
type ChangeContext = Pick<ToolContext, 'seen' | 'locale' | 'engine' | 'signal'>;

interface DraftOptions {
  /** Only returns what would change. */
  isLook?: boolean | undefined;
  idempotencyKey?: string | undefined;
  /** True if the caller sent the whole text, which therefore counts as read. */
  isWhole?: boolean;
}

/** Drafts a text, or only looks at it, and returns the answer. A text that changes nothing is not drafted. */
export async function draftText(
  change: NewText,
  { isLook = false, idempotencyKey, isWhole = false }: DraftOptions,
  { ports, context }: { ports: ChangePorts; context: ChangeContext },
): Promise<ChangeAnswer> {
  const { path, before, after, base } = change;
  const counts = toCounts(change);
  const { version } = await toTextVersion(after);
  const answer = { path, ...counts, version: toShownVersion(version) };
  if (isLook) return { ...answer, drafted: false, ...toChangedLines(before, after), note: LOOK_NOTE };
  if (before === after) return { ...answer, drafted: false, note: NO_CHANGE_NOTE };
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  await ports.writer.write({ path, text: after, base, ...key });
  // The rest of a file that was never read stays unknown.
  if (isWhole || context.seen.get(path) === base) context.seen.set(path, version);
  else context.seen.delete(path);
  return {
    ...answer,
    drafted: true,
    ...toChangedLines(before, after),
    ...(await toNewProblems(change, { reader: ports.reader, ...context })),
    note: DRAFT_NOTE,
  };
}

export function toCounts({ before, after }: { before: string | null; after: string | null }): {
  added: number;
  removed: number;
} {
  return countLines(toLineDiff(before, after).hunks);
}

/** Returns the part of a version that answers show and calls refer to. */
export function toShownVersion(version: string): string {
  return version.slice(0, SHOWN_VERSION_LENGTH);
}

/**
 * Returns the lines of the new text around each change, numbered; `+` marks new lines, `-` says how many are gone. Long
 * changes show their ends only, because the model wrote them.
 */
export function toChangedLines(before: string | null, after: string): { lines?: string; leftOut?: string } {
  const { hunks } = toLineDiff(before, after);
  if (before === null || hunks.length === 0) return {};
  const all = toTextLines(after);
  const shown: string[] = [];
  let last = 0;
  for (const [index, hunk] of hunks.slice(0, MAX_HUNKS).entries()) {
    const from = Math.max(last + 1, hunk.startNew - AROUND);
    const end = hunk.startNew + hunk.lenNew - 1;
    const next = hunks[index + 1]?.startNew ?? Number.POSITIVE_INFINITY;
    const to = Math.min(all.length, end + AROUND, next - 1);
    if (from > last + 1 && shown.length > 0) shown.push('…');
    shown.push(...toHunkLines(hunk, all, { from, to }));
    last = Math.max(last, to);
  }
  const rest = hunks.length - MAX_HUNKS;
  return { lines: shown.join('\n'), ...(rest > 0 && { leftOut: `${rest} more places of the change are not shown.` }) };
}

function toHunkLines(
  { startNew, lenNew, lenOld }: Hunk,
  all: readonly string[],
  { from, to }: { from: number; to: number },
): string[] {
  const shown: string[] = [];
  const end = startNew + lenNew - 1;
  const half = MAX_HUNK_LINES / 2;
  for (let line = from; line <= to; line += 1) {
    if (line === startNew && lenOld > 0) shown.push(`- ${lenOld} ${lenOld === 1 ? 'line' : 'lines'} gone here`);
    const isNew = line >= startNew && line <= end;
    if (lenNew > MAX_HUNK_LINES + 1 && line >= startNew + half && line <= end - half) {
      if (line === startNew + half) shown.push(`+ … ${lenNew - MAX_HUNK_LINES} more new lines`);
      continue;
    }
    shown.push(`${isNew ? '+ ' : ''}${line}| ${shorten(all[line - 1] ?? '', MAX_LINE_LENGTH)}`);
  }
  if (startNew > to && lenOld > 0) shown.push(`- ${lenOld} ${lenOld === 1 ? 'line' : 'lines'} gone here`);
  return shown;
}

/** Returns the problems of a scene that its text before did not have, as `validate_script` words them. */
export async function toNewProblems(
  change: Pick<NewText, 'path' | 'before' | 'after'>,
  env: ProblemEnv,
): Promise<Pick<ChangeAnswer, 'newProblems' | 'leftOut'>> {
  const found = await findNewProblems(change, env);
  if (found === null) return { leftOut: 'The scene could not be checked; run validate_script.' };
  const rest = found.length - MAX_PROBLEMS;
  return {
    ...(found.length > 0 && {
      newProblems: found.slice(0, MAX_PROBLEMS).map(({ line, message, fixHint }) => ({
        ...{ line, message },
        ...(fixHint !== undefined && { fixHint }),
      })),
    }),
    ...(rest > 0 && { leftOut: `${rest} more new problems; run validate_script.` }),
  };
}

type ProblemEnv = { reader: Reader; locale: Locale } & Pick<ToolContext, 'engine' | 'signal'>;

/**
 * Returns the errors and warnings of a scene that its text before did not have; none for other files. Null when the game cannot be
 * checked, which must not make a call look failed whose text is drafted already.
 */
export async function findNewProblems(
  { path, before, after }: Pick<NewText, 'path' | 'before' | 'after'>,
  { reader, locale, engine, signal }: ProblemEnv,
): Promise<Diagnostic[] | null> {
  if (!isScene(path)) return [];
  const index = await currentProjectIndex(reader, { ...(await engine?.()), signal }).catch(() => null);
  if (index === null) return null;
  const find = (text: string) =>
    diagnoseScene(index, path, { locale, text }).filter(({ severity }) => severity !== 'info');
  const known = new Map<string, number>();
  for (const { code, message } of before === null ? [] : find(before)) {
    const key = JSON.stringify([code, message]);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  return find(after).filter(({ code, message }) => {
    const key = JSON.stringify([code, message]);
    const count = known.get(key) ?? 0;
    known.set(key, count - 1);
    return count <= 0;
  });
}
