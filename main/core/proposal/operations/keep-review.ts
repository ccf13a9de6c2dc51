import { z } from 'zod';
import { createSerialQueue } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import { ProjectPath } from '../../../../shared/paths/project-path.ts';
import type { Reader } from '../../ports/reader.ts';
import type { ProgramFile } from '../../ports/workspace.ts';
import type { Draft } from '../../services.ts';
import { readIfThere } from '../text-change.ts';
import type { ProposalServiceOptions } from './proposal-options.ts';
import type { ProposalState } from './proposal-state.ts';

const KeptChange = z.object({
  title: z.string(),
  drafts: z.array(
    z.object({
      path: ProjectPath,
      base: z.string().nullable(),
      before: z.string().nullable(),
      text: z.string().nullable(),
      from: ProjectPath.optional(),
    }),
  ),
});

/** Keeps the user's own change on disk while it waits for review. The assistant's is in the session log. */
export interface ReviewKeeper {
  /** Stores the waiting change, or removes the stored one if none waits. A failure is reported as a notice. */
  keep(): Promise<void>;
  /**
   * Returns the change that waited when the app ended, without drafts that are on disk already. Null: none, or one that cannot be
   * read, which is reported as a notice.
   */
  read(): Promise<{ title: string; drafts: Draft[] } | null>;
}

export function createReviewKeeper(
  state: ProposalState,
  { reader, emit, reviewFile: file }: Pick<ProposalServiceOptions, 'reader' | 'emit' | 'reviewFile'>,
): ReviewKeeper {
  const queue = createSerialQueue();
  /** False until this run stored or read a change: one that it did not read is not its own to remove. */
  let isStored = false;

  async function store({ write }: ProgramFile): Promise<void> {
    const { session, drafts } = state;
    const isWaiting = session?.author === 'user';
    if (!isWaiting && !isStored) return;
    const change = isWaiting ? { title: session.summary, drafts: drafts.changed() } : null;
    try {
      // A write that fails may still have taken effect.
      isStored ||= isWaiting;
      await write(change satisfies z.input<typeof KeptChange> | null);
      isStored = isWaiting;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notify(isWaiting ? 'notKept' : 'notForgotten');
    }
  }

  const notify = (problem: 'notKept' | 'notForgotten' | 'notRestored'): void =>
    emit('app.noticed', { level: 'warning', reason: `proposal.${problem}`, details: {} });

  return {
    keep: async () => (file ? queue.run(() => store(file)) : undefined),
    async read() {
      let data: z.output<typeof KeptChange>;
      try {
        const stored = (await file?.read()) ?? null;
        if (stored === null) return null;
        isStored = true;
        data = KeptChange.parse(stored);
      } catch (error) {
        if (!(error instanceof AppError || error instanceof z.ZodError)) throw error;
        // The next change replaces it.
        notify('notRestored');
        return null;
      }
      const drafts: Draft[] = [];
      for (const { from, ...draft } of data.drafts) {
        if (!(await isOnDisk(draft, reader))) drafts.push({ ...draft, ...(from !== undefined && { from }) });
      }
      return drafts.length > 0 ? { title: data.title, drafts } : null;
    },
  };
}

/** Returns whether the file has the drafted text: the app ended after it was accepted. */
async function isOnDisk({ path, text }: Draft, reader: Reader): Promise<boolean> {
  try {
    return ((await readIfThere(reader, path))?.text ?? null) === text;
  } catch (error) {
    // Not readable as text, so not the drafted one.
    if (error instanceof AppError) return false;
    throw error;
  }
}
