import { Buffer, isUtf8 } from 'node:buffer';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { createGlob } from '../../../shared/paths/glob.ts';
import { isMediaName } from '../../../shared/paths/media-name.ts';
import { BUDGET_MS, MAX_RESULT, type ReplaceTask, type SearchTask, type Task, type TaskAnswer } from './match-task.ts';
import { createTextMatcher, type LineMatch } from './match-text.ts';
import { createReplacementSize } from './replacement-size.ts';
import { findRequiredLiteral } from './required-literal.ts';
import {
  createFileMemory,
  createFileReader,
  type Found,
  MAX_ENTRIES,
  TooManyEntries,
  walkFolder,
} from './walk-folder.ts';

/**
 * The search thread. It walks, reads and matches by itself, because copying texts between threads would cost more than
 * the search. A pattern that never ends is ended with the thread: `clock` gives the caller a time (ms since 1970) that
 * the running pattern must not exceed by `BUDGET_MS`; it is 0 while none runs. Imports only Node and pure code; the build
 * bundles it into one file.
 */

const MAX_BYTES = 5 * 1024 * 1024;
/** Time for patterns beyond `BUDGET_MS`, for each megabyte that they are run over. */
const BUDGET_MS_PER_MEGABYTE = 100;

/** Enough for a game of thousands of scenes, in each of the threads. */
const MAX_CACHED_BYTES = 24 * 1024 * 1024;

const memory = createFileMemory(MAX_CACHED_BYTES);
const clock = new BigInt64Array(workerData as SharedArrayBuffer);

class TooSlow extends Error {}
class TooLong extends Error {}

/** Measures the time that patterns take; throws once it exceeds the budget. */
function createBudget(): { run: <T>(bytes: number, work: () => T) => T } {
  let spent = 0;
  let allowed = BUDGET_MS;
  return {
    run(bytes, work) {
      const started = performance.now();
      const left = Math.min(BUDGET_MS, Math.round(allowed - spent));
      Atomics.store(clock, 0, BigInt(Date.now() - (BUDGET_MS - left)));
      let result: ReturnType<typeof work>;
      try {
        result = work();
      } finally {
        Atomics.store(clock, 0, 0n);
      }
      spent += performance.now() - started;
      allowed += (bytes / (1024 * 1024)) * BUDGET_MS_PER_MEGABYTE;
      if (spent > allowed) throw new TooSlow();
      return result;
    },
  };
}

/** Returns the text of a file, or null for binary data: not strict UTF-8, or with a NUL as in pictures and sounds. */
function toText(bytes: Buffer): string | null {
  if (bytes.includes(0) || !isUtf8(bytes)) return null;
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Copies a match: a substring keeps its whole text in memory, and each text of a gigabyte may have a match. */
function toOwnMatch({ line, preview, before, after }: LineMatch): LineMatch {
  const copy = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le');
  return {
    line,
    preview: copy(preview),
    ...(before && { before: before.map(copy) }),
    ...(after && { after: after.map(copy) }),
  };
}

/**
 * Returns whether a file is in this thread's share. Decided by name, not by index: files added or removed meanwhile do
 * not move others.
 */
function isOurs(projectPath: string, { index, of }: SearchTask['share']): boolean {
  if (of === 1) return true;
  let sum = 0;
  for (let at = 0; at < projectPath.length; at += 1) sum += projectPath.charCodeAt(at) * (at + 1);
  return sum % of === index;
}

function search(task: SearchTask): TaskAnswer {
  const literal = findRequiredLiteral(task.regex, task.flags);
  const needle = literal === null ? null : Buffer.from(literal);
  const matchText = createTextMatcher({ ...task, literal });
  const budget = createBudget();
  const isMatch = task.glob === null || !task.start.isFolder ? null : createGlob(task.glob);
  const skip = task.start.path === '.' ? 0 : task.start.path.length + 1;
  function isWanted(projectPath: string): boolean {
    if (!isOurs(projectPath, task.share) || isMediaName(projectPath)) return false;
    // Globs come from a model too.
    return isMatch === null || budget.run(0, () => isMatch(projectPath.slice(skip)));
  }
  const matches: (LineMatch & { path: string })[] = [];

  const matchFile = (projectPath: string, text: string, bytes: number) =>
    budget.run(bytes, () =>
      matchText(text, (match) => {
        matches.push({ path: projectPath, ...toOwnMatch(match) });
        return matches.length < task.maxMatches;
      }),
    );

  const instead = new Map(task.instead);
  const files: (Found | { path: string; text: string })[] = [];
  for (const [projectPath, text] of instead) {
    const isBelow = skip === 0 || projectPath === task.start.path || projectPath.startsWith(`${task.start.path}/`);
    if (text !== null && isBelow && isWanted(projectPath)) files.push({ path: projectPath, text });
  }
  for (const file of findFiles(task, isWanted)) if (!instead.has(file.path)) files.push(file);
  if (instead.size > 0) files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));

  const reader = createFileReader(MAX_BYTES, memory);
  try {
    for (const file of files) {
      if (matches.length >= task.maxMatches) break;
      if ('text' in file) {
        matchFile(file.path, file.text.replace(/^\uFEFF/, ''), file.text.length);
        continue;
      }
      const bytes = reader.read(file);
      if (bytes === null || (needle !== null && bytes.indexOf(needle) === -1)) continue;
      const text = toText(bytes);
      if (text !== null) matchFile(file.path, text, bytes.length);
    }
  } finally {
    reader.close();
  }
  return { kind: 'found', matches };
}

function findFiles({ root, visible, start }: SearchTask, isWanted: (projectPath: string) => boolean): Found[] {
  const { absolute } = start;
  if (absolute === null) return [];
  if (start.isFolder) return walkFolder({ path: start.path, absolute }, { root, visible, isWanted });
  return isWanted(start.path)
    ? [{ path: start.path, folder: path.dirname(absolute), name: path.basename(absolute) }]
    : [];
}

function replace({ text, regex, flags, replacement }: ReplaceTask): TaskAnswer {
  const expression = new RegExp(regex, `${flags.replace(/[gy]/g, '')}g`);
  const sizeOf = createReplacementSize(replacement);
  let count = 0;
  let size = text.length;
  let replaced = text;
  createBudget().run(text.length, () => {
    for (const match of text.matchAll(expression)) {
      count += 1;
      size += sizeOf(match) - match[0].length;
    }
    // Checked before the text is created: a thread that runs out of memory ends the whole process.
    if (size > MAX_RESULT) throw new TooLong();
    if (count > 0) replaced = text.replace(expression, replacement);
  });
  return { kind: 'replaced', text: replaced, count };
}

function perform(task: Task): TaskAnswer {
  try {
    return task.kind === 'search' ? search(task) : replace(task);
  } catch (error) {
    if (error instanceof TooSlow) return { kind: 'tooSlow' };
    if (error instanceof TooLong) return { kind: 'tooLong', limit: MAX_RESULT };
    if (error instanceof TooManyEntries) return { kind: 'tooMany', limit: MAX_ENTRIES };
    // “Invalid string length”, or a pattern that is too large when it is executed.
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (task: Task) => parentPort?.postMessage(perform(task)));
