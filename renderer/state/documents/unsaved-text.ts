import type { OffsetEdit } from '../../../shared/text/text-edit.ts';

/** Above this number of edits the whole text is sent. */
const MAX_EDITS = 1000;

export interface UnsavedTextPorts {
  /** Sends the whole text; null: there is no unsaved text any more. */
  put(text: string | null, version: string | null, revision: string | null): Promise<void>;
  /** Sends the edits since `base`; false when the app has another text. */
  edit(change: BufferChange): Promise<boolean>;
  getText(): string;
}

export interface BufferChange {
  /** The revision sent last, or the version on disk. */
  base: string;
  edits: readonly OffsetEdit[];
  /** Length of the text after the edits. */
  length: number;
  version: string | null;
  revision: string;
}

/** The app's copy of the unsaved text of one file. */
export interface UnsavedTextSender {
  /** Records a change of the text on screen; null: not expressible as edits. `length`: of the resulting text. */
  note(edits: readonly OffsetEdit[] | null, length: number): void;
  /** Updates the copy to the text on screen, whose base is the disk's `version`. */
  send(version: string | null): void;
  /**
   * Updates the copy like `send`. Resolves to its revision, which stands for the text on screen at that moment; null when it
   * could not be sent, or when the text changed meanwhile.
   */
  sync(version: string | null): Promise<string | null>;
  /** Reports that screen and disk have the same text, at `version`; null: the file is closed. */
  release(version: string | null): void;
}

type Job = { kind: 'send'; version: string | null } | { kind: 'release'; version: string | null };

/**
 * Sends edits instead of the whole text, one request at a time. Each request names its base revision: when the app has
 * another one, because it was restarted or another page wrote, the whole text is sent.
 */
export function createUnsavedTextSender({ put, edit, getText }: UnsavedTextPorts): UnsavedTextSender {
  const page = crypto.randomUUID();
  let count = 0;
  /** The revision in the app; null: unknown. */
  let knownRevision: string | null = null;
  /** Edits since then; null when the change cannot be expressed as edits. */
  let pending: OffsetEdit[] | null = null;
  let length = 0;
  let jobs: Job[] = [];
  let working: Promise<void> | null = null;

  const putAll = async (version: string | null, revision: string): Promise<void> => {
    pending = [];
    knownRevision = null;
    await put(getText(), version, revision);
    knownRevision = revision;
  };

  const run = async ({ kind, version }: Job): Promise<void> => {
    if (kind === 'release') {
      knownRevision = null;
      await put(null, null, null);
      knownRevision = version;
      return;
    }
    count += 1;
    const revision = `${page} ${count}`;
    const [base, edits] = [knownRevision, pending];
    if (base === null || edits === null) return putAll(version, revision);
    pending = [];
    knownRevision = null;
    const isTaken = await edit({ base, edits, length, version, revision });
    if (isTaken) knownRevision = revision;
    // With a release queued, `pending` is relative to the released text, so `putAll` must not reset it.
    else if (jobs[0]?.kind !== 'release') await putAll(version, revision);
  };

  const workThrough = async (): Promise<void> => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      // The request failed: the next change sends the whole text.
      await run(job).catch(() => undefined);
    }
    working = null;
  };

  /** Resolves when no job is left. */
  const work = (): Promise<void> => {
    working ??= workThrough();
    return working;
  };

  const send = (version: string | null): void => {
    const last = jobs.at(-1);
    if (last?.kind === 'send') last.version = version;
    else jobs.push({ kind: 'send', version });
    void work();
  };

  const isSent = () => knownRevision !== null && pending?.length === 0;

  return {
    note(edits, now) {
      length = now;
      if (edits === null || (pending?.length ?? 0) > MAX_EDITS) pending = null;
      else pending?.push(...edits);
    },
    send,
    async sync(version) {
      if (working) await working;
      if (!isSent()) send(version);
      if (working) await working;
      return isSent() ? knownRevision : null;
    },
    release(version) {
      pending = [];
      jobs = [{ kind: 'release', version }];
      void work();
    },
  };
}
