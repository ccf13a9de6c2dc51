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
}

/** The answers that show the text of a file, and which of them later events made worthless. */
export interface OutdatedReads {
  /** Takes the result of a call of `answers`. */
  took(call: LoggedCall, result: LogEventOf<'tool.result'>, answers: StepAnswers): void;
  /** Takes a change of a file by a draft. */
  changed(path: string): void;
  /** Replaces outdated answers by notes, if they are worth it. Returns the steps whose message changed. */
  remove(): ReadonlySet<StepAnswers>;
}

export function createOutdatedReads(): OutdatedReads {
  const current = new Map<string, Read[]>();
  let outdated: { path: string; read: Read; size: number }[] = [];
  const sizes = new WeakMap<Read, number>();

  function drop(path: string, isDropped: (read: Read) => boolean): void {
    const kept: Read[] = [];
    for (const read of current.get(path) ?? []) {
      if (isDropped(read)) outdated.push({ path, read, size: sizes.get(read) ?? 0 });
      else kept.push(read);
    }
    current.set(path, kept);
  }

  return {
    took({ name, input }, { call, ok, value }, answers) {
      const asked = name === 'read_file' && ok ? toAsked(input) : null;
      if (!asked) return;
      const { path, part } = asked;
      drop(path, (read) => part === null || read.part === part);
      const read = { answers, call, part };
      sizes.set(read, JSON.stringify(value ?? null).length);
      current.set(path, [...(current.get(path) ?? []), read]);
    },
    changed: (path) => drop(path, () => true),
    remove() {
      const steps = new Set<StepAnswers>();
      if (outdated.reduce((sum, { size }) => sum + size, 0) < BLOCK) return steps;
      for (const { path, read } of outdated) {
        const note = `[Left out: ${path} was read again or changed after this. Read it again if you need its text.]`;
        if (read.answers.leaveOut(read.call, note) > 0) steps.add(read.answers);
      }
      outdated = [];
      return steps;
    },
  };
}

function toAsked(input: unknown): { path: string; part: string | null } | null {
  if (typeof input !== 'object' || input === null) return null;
  const { path, offset, limit } = input as Record<string, unknown>;
  if (typeof path !== 'string') return null;
  const isWhole = offset === undefined && limit === undefined;
  return { path: path.replace(/^\.\//, ''), part: isWhole ? null : `${String(offset)}+${String(limit)}` };
}
