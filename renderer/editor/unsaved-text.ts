import type { OffsetEdit } from '../../shared/model/text-edit.ts';

/** More edits than this are not worth sending one by one. */
const MOST_EDITS = 1000;

export interface UnsavedTextPorts {
  /** The whole text; null: there is none any more. */
  put(text: string | null, version: string | null, revision: string | null): Promise<void>;
  /** What changed since `base`; false when the app has another text. */
  edit(change: BufferChange): Promise<boolean>;
  getText(): string;
}

export interface BufferChange {
  /** The revision that the app was given last, or the version of the disk's text. */
  base: string;
  edits: readonly OffsetEdit[];
  /** Of the text after the edits. */
  length: number;
  version: string | null;
  revision: string;
}

/** The app's copy of the unsaved text of one file. */
export interface UnsavedTextSender {
  /** The text on screen changed; null: in a way that edits do not tell. `length` is that of the text now. */
  note(edits: readonly OffsetEdit[] | null, length: number): void;
  /** Brings the copy up to the text on screen, which was made from the disk's `version`. */
  send(version: string | null): void;
  /** Screen and disk hold the same, at `version`; null: the file is closed. */
  release(version: string | null): void;
}

type Job = { kind: 'send'; version: string | null } | { kind: 'release'; version: string | null };

/**
 * Sends what was typed instead of the whole text, one request after the other. Each names what it was made from: when the
 * app holds something else, because it was started anew or another page wrote, it gets the whole text once more.
 */
export function createUnsavedTextSender({ put, edit, getText }: UnsavedTextPorts): UnsavedTextSender {
  const page = crypto.randomUUID();
  let count = 0;
  /** What the app holds, as far as the page knows; null: unknown. */
  let held: string | null = null;
  /** What was typed since; null when only the whole text tells. */
  let pending: OffsetEdit[] | null = null;
  let length = 0;
  let jobs: Job[] = [];
  let isRunning = false;

  const putAll = async (version: string | null, revision: string): Promise<void> => {
    pending = [];
    held = null;
    await put(getText(), version, revision);
    held = revision;
  };

  const run = async ({ kind, version }: Job): Promise<void> => {
    if (kind === 'release') {
      held = null;
      await put(null, null, null);
      held = version;
      return;
    }
    count += 1;
    const revision = `${page} ${count}`;
    const [base, edits] = [held, pending];
    if (base === null || edits === null) return putAll(version, revision);
    pending = [];
    held = null;
    const isTaken = await edit({ base, edits, length, version, revision });
    if (isTaken) held = revision;
    // What was typed meanwhile belongs to the text after a release.
    else if (jobs[0]?.kind !== 'release') await putAll(version, revision);
  };

  const work = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      // The app does not answer: the next change is sent whole.
      await run(job).catch(() => undefined);
    }
    isRunning = false;
  };

  return {
    note(edits, now) {
      length = now;
      if (edits === null || (pending?.length ?? 0) > MOST_EDITS) pending = null;
      else pending?.push(...edits);
    },
    send(version) {
      const last = jobs.at(-1);
      if (last?.kind === 'send') last.version = version;
      else jobs.push({ kind: 'send', version });
      void work();
    },
    release(version) {
      pending = [];
      jobs = [{ kind: 'release', version }];
      void work();
    },
  };
}
