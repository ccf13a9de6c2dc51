import { AppError } from '../../../../shared/errors.ts';
import type { ToolChange, ToolWriter } from '../../capability/define-tool.ts';
import type { Draft } from '../../services.ts';
import { addMarks, withText } from '../step-marks.ts';
import { readIfThere, refuseUnwritable } from '../text-change.ts';
import type { ProposalSession, ProposalState } from './proposal-state.ts';

/** Stores the assistant's changes as drafts. Its methods must not run at the same time as other operations. */
export function createDraftWriter(state: ProposalState): Pick<ToolWriter, 'write' | 'writeAll'> {
  const { drafts, idempotency } = state;

  /** Validates a change against the drafted state and returns its draft without storing it. */
  async function toDraft({ path, text, base }: ToolChange): Promise<Draft> {
    if (text !== null) refuseUnwritable(path, text);
    const there = await readIfThere(drafts.reader, path);
    if ((there?.version ?? null) !== base) throw toConflict(path);
    const known = drafts.get(path);
    // A draft equal to its previous text counts as unchanged, so the next draft of the file is based on the disk.
    const isFresh = known === undefined || known.text === known.before;
    const before = there?.text ?? null;
    const held: Draft = isFresh ? { path, base, before, text: before } : known;
    return toNextDraft(held, { text, step: state.session?.step ?? null });
  }

  async function keep(draft: Draft): Promise<void> {
    const { id, record } = requireDrafting(state.session);
    // Recorded first: a draft that pages display must survive a crash.
    await record(draft);
    if (state.session?.id !== id) {
      throw new AppError('E_CONFLICT', 'The proposal was discarded meanwhile. Nothing was drafted.');
    }
    await drafts.put(draft);
  }

  return {
    async write(change) {
      requireDrafting(state.session);
      const repeated = idempotency.find(change);
      if (repeated !== undefined) return { ...repeated, repeated: true };
      await keep(await toDraft(change));
      const written = { applied: false, drafted: true };
      idempotency.keep(change, written);
      state.announce();
      return written;
    },
    async writeAll(changes) {
      requireDrafting(state.session);
      const made: Draft[] = [];
      for (const change of changes) made.push(await toDraft(change));
      for (const draft of made) await keep(draft);
      state.announce();
      return changes.map(() => ({ applied: false, drafted: true }));
    },
  };
}

/** Returns a draft with the next text of its file and the marks of the step that made it. */
function toNextDraft(held: Draft, { text, step }: { text: string | null; step: string | null }): Draft {
  // Without marks of its earlier steps a draft gets none: those steps would seem to have made nothing.
  const isKnown = held.marks !== undefined || held.steps === undefined;
  if (step === null || text === null || held.text === null || !isKnown) return withStep(withText(held, text), step);
  const { marks: _marks, ...rest } = held;
  const marks = addMarks(held, { step, after: text });
  return withStep({ ...rest, text, ...(marks && { marks }) }, step);
}

/** Adds a step to a draft. */
export function withStep(draft: Draft, step: string | null | undefined): Draft {
  const { steps = [] } = draft;
  return step === null || step === undefined || steps.includes(step) ? draft : { ...draft, steps: [...steps, step] };
}

function requireDrafting(
  session: ProposalSession | null,
): ProposalSession & { record: NonNullable<ProposalSession['record']> } {
  if (session === null || session.record === null) {
    throw new AppError('E_POLICY_VIOLATION', 'Nothing can be drafted now: no turn is running.');
  }
  return { ...session, record: session.record };
}

function toConflict(path: string): AppError {
  return new AppError('E_CONFLICT', `${path} changed since it was read. Nothing was drafted.`, {
    details: { paths: [path] },
    hint: 'Read the file again and make the change from what it holds now.',
  });
}
