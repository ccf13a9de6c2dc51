import { Worker } from 'node:worker_threads';
import { AppError } from '../../shared/errors.ts';
import type { Matcher, SearchMatch } from '../core/ports.ts';
import { toStoppedError } from './io-error.ts';

/** An answer after this long is no answer: `E_TIMEOUT`, and the thread is ended. Its start does not count. */
const DEADLINE_MS = 800;
const MEMORY_MB = 256;

/**
 * Runs in the thread. A string, so that it is the same under plain Node and inside a bundle, where there is no file to
 * point a worker at. A line is what an editor calls one; a pattern that names a line break itself is run over whole texts.
 */
const WORKER = `
const { parentPort } = require('node:worker_threads');
const PREVIEW = 300;

function toPreview(line, at) {
  const start = line.length <= PREVIEW ? 0 : Math.max(0, Math.min(at - 60, line.length - PREVIEW));
  const cut = line.slice(start, start + PREVIEW).trim().toWellFormed();
  return (start > 0 ? '…' : '') + cut + (start + PREVIEW < line.length ? '…' : '');
}

function searchLines(text, expression, report) {
  let start = 0;
  for (let number = 1; start <= text.length; number += 1) {
    let end = text.indexOf('\\n', start);
    if (end === -1) end = text.length;
    const line = text.slice(start, end > start && text[end - 1] === '\\r' ? end - 1 : end);
    const isPastTheEnd = start === text.length && start > 0;
    const at = isPastTheEnd ? -1 : line.search(expression);
    if (at !== -1 && !report(number, toPreview(line, at))) return;
    start = end + 1;
  }
}

function searchWhole(text, expression, report) {
  let number = 1;
  let counted = 0;
  for (const match of text.matchAll(expression)) {
    for (let feed = text.indexOf('\\n', counted); feed !== -1 && feed < match.index; feed = text.indexOf('\\n', feed + 1)) {
      number += 1;
      counted = feed + 1;
    }
    const start = text.lastIndexOf('\\n', match.index - 1) + 1;
    const end = text.indexOf('\\n', match.index);
    const line = text.slice(match.index === 0 ? 0 : start, end === -1 ? text.length : end);
    if (!report(number, toPreview(line, match.index - start))) return;
  }
}

function search({ files, regex, flags, maxMatches }) {
  const spansLines = /\\\\[nr]|\\n/.test(regex);
  const bare = flags.replace(/[gy]/g, '');
  const expression = spansLines
    ? new RegExp(regex, bare.includes('m') ? bare + 'g' : bare + 'gm')
    : new RegExp(regex, bare);
  const matches = [];
  for (const { path, text } of files) {
    if (matches.length >= maxMatches) break;
    const body = text.startsWith('\\uFEFF') ? text.slice(1) : text;
    (spansLines ? searchWhole : searchLines)(body, expression, (line, preview) => {
      matches.push({ path, line, preview });
      return matches.length < maxMatches;
    });
  }
  return matches;
}

function replace({ text, regex, flags, replacement }) {
  const expression = new RegExp(regex, flags.replace(/[gy]/g, '') + 'g');
  let count = 0;
  for (const _ of text.matchAll(expression)) count += 1;
  return { text: count === 0 ? text : text.replace(expression, replacement), count };
}

parentPort.on('message', ({ kind, request }) => {
  try {
    parentPort.postMessage({ value: kind === 'search' ? search(request) : replace(request) });
  } catch (error) {
    parentPort.postMessage({ error: { name: error.name, message: error.message } });
  }
});
`;

type Answer = { value: unknown } | { error: { name: string; message: string } };

function requireGoodPattern(regex: string, flags: string): void {
  if (!/^[dgimsuvy]*$/.test(flags) || new Set(flags).size < flags.length || /u.*v|v.*u/.test(flags)) {
    throw new AppError('E_BAD_ARGS', `"${flags.slice(0, 40)}" are not flags of a regular expression.`, {
      hint: 'Use some of g, i, m, s, u.',
      reason: 'search.badFlags',
    });
  }
  try {
    new RegExp(regex, flags);
  } catch (error) {
    const inline = /^\(\?([a-z]+)\)/.exec(regex);
    throw new AppError('E_BAD_ARGS', `"${regex.slice(0, 200)}" is not a regular expression JavaScript knows.`, {
      details: { regex: regex.slice(0, 200) },
      hint: inline
        ? `Leave out (?${inline[1]}) and write /…/${inline[1]} or pass the flags "${inline[1]}" instead.`
        : `${error instanceof Error ? error.message.slice(0, 300) : 'It cannot be read'}. Escape special characters with a backslash.`,
      reason: 'search.badPattern',
      cause: error,
    });
  }
}

function toTooSlow(): AppError {
  return new AppError('E_TIMEOUT', 'The pattern takes too long on these texts and was stopped.', {
    hint: 'Avoid repetitions inside of repetitions such as (a+)+, or look through fewer files.',
    reason: 'search.tooSlow',
  });
}

function toTooLarge(cause: unknown): AppError {
  return new AppError('E_TOO_LARGE', 'The result of the pattern is too large.', { reason: 'search.tooLarge', cause });
}

/**
 * Regular expressions in a thread of their own: one that never ends is ended with its thread, and the app stays alive.
 * The thread is kept between calls and does not keep the process running. Calls run one after the other, each with
 * a full deadline of its own.
 */
export function createMatcher(): Matcher & { close(): Promise<void> } {
  let worker: Worker | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function startWorker(): Promise<Worker> {
    if (worker) return worker;
    const started = new Worker(WORKER, { eval: true, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB }, env: {} });
    started.unref();
    // Out of memory between two calls must not end the app; the next call starts a new thread.
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    await new Promise<void>((resolve, reject) => {
      started.once('online', resolve);
      started.once('error', reject);
    });
    worker = started;
    return started;
  }

  async function endWorker(ended: Worker): Promise<void> {
    if (worker === ended) worker = undefined;
    await ended.terminate();
  }

  async function ask(kind: string, request: object, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) throw toStoppedError('The search');
    const asked = await startWorker();
    // While an answer is due the process must wait for it.
    asked.ref();
    const done = new AbortController();
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        const onFailure = (error: unknown) => reject(toTooLarge(error));
        const onStop = () => reject(toStoppedError('The search'));
        const timer = setTimeout(() => reject(toTooSlow()), DEADLINE_MS);
        asked.once('message', resolve);
        asked.once('error', onFailure);
        signal.addEventListener('abort', onStop, { signal: done.signal });
        done.signal.addEventListener('abort', () => {
          clearTimeout(timer);
          asked.off('message', resolve);
          asked.off('error', onFailure);
        });
        asked.postMessage({ kind, request });
      });
      if ('value' in answer) return answer.value;
      // “Invalid string length”: the only way a checked pattern fails.
      throw toTooLarge(new Error(answer.error.message));
    } catch (error) {
      await endWorker(asked);
      throw error;
    } finally {
      done.abort();
      asked.unref();
    }
  }

  function askInTurn(kind: string, request: object, signal: AbortSignal): Promise<unknown> {
    const result = queue.then(() => ask(kind, request, signal));
    queue = result.catch(() => undefined); // Reported to the caller.
    return result;
  }

  return {
    async search({ signal, ...request }) {
      requireGoodPattern(request.regex, request.flags);
      return (await askInTurn('search', request, signal)) as SearchMatch[];
    },
    async replace({ signal, ...request }) {
      requireGoodPattern(request.regex, request.flags);
      return (await askInTurn('replace', request, signal)) as { text: string; count: number };
    },
    async close() {
      await worker?.terminate();
    },
  };
}
