import type { LogEventOf } from '../session/log-events.ts';
import type { StepAnswers } from './step-answers.ts';
import type { LoggedCall } from './step-messages.ts';

/**
 * Outdated answers are removed only when they are at least this many characters together: each removal changes the beginning of
 * the next request, so that the provider's cache no longer applies.
 */
const BLOCK = 20_000;

interface Read {
  answers: StepAnswers;
  call: string;
  /** Null: the whole file. */
  part: string | null;
  /** Characters of the answer. */
  size: number;
}

/** The answers that show the text of a file, and which of them later events made worthless. */
export interface OutdatedReads {
  /**
   * Takes the result of a call of `answers`. `path`: the file that it was about, as the app understood the call; `size`: the
   * characters of the answer.
   */
  took(
    call: LoggedCall & { path: string | undefined; size: number },
    result: LogEventOf<'tool.result'>,
    answers: StepAnswers,
  ): void;
  /** Takes a change of a file by a draft. */
  changed(path: string): void;
  /** Replaces outdated answers by notes, if they are worth it. Returns the steps whose message changed. */
  remove(): ReadonlySet<StepAnswers>;
}

export function createOutdatedReads(): OutdatedReads {
  const current = new Map<string, Read[]>();
  let outdated: { path: string; read: Read }[] = [];

  function drop(path: string, isDropped: (read: Read) => boolean): void {
    const kept: Read[] = [];
    for (const read of current.get(path) ?? []) {
      if (isDropped(read)) outdated.push({ path, read });
      else kept.push(read);
    }
    current.set(path, kept);
  }

  return {
    took({ name, input, path, size }, { call, ok }, answers) {
      if (name !== 'read_file' || !ok || path === undefined) return;
      const part = toPart(input);
      drop(path, (read) => part === null || read.part === part);
      const read = { answers, call, part, size };
      current.set(path, [...(current.get(path) ?? []), read]);
    },
    changed: (path) => drop(path, () => true),
    remove() {
      const steps = new Set<StepAnswers>();
      if (outdated.reduce((sum, { read }) => sum + read.size, 0) < BLOCK) return steps;
      for (const { path, read } of outdated) {
        const note = `[Left out: ${path} was read again or changed after this. Read it again if you need its text.]`;
        if (read.answers.leaveOut(read.call, note) > 0) steps.add(read.answers);
      }
      outdated = [];
      return steps;
    },
  };
}

/** Identifies the lines that a call asked for; null: the whole file. */
function toPart(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null;
  const { offset, limit } = input as Record<string, unknown>;
  return offset === undefined && limit === undefined ? null : `${String(offset)}+${String(limit)}`;
}
