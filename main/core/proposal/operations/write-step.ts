import { AppError } from '../../../../shared/errors.ts';
import { toIssue } from '../../patch/to-issue.ts';
import type { ProposalService } from '../../services.ts';
import type { ProposalServiceOptions } from './proposal-options.ts';
import type { ProposalState } from './proposal-state.ts';
import { requireAllowed } from './require-allowed.ts';

/** Creates `writeStep`, which must not run at the same time as other operations. */
export function createStepWriter(
  state: ProposalState,
  options: Pick<ProposalServiceOptions, 'reader' | 'writer' | 'emit' | 'closedFolders'>,
): ProposalService['writeStep'] {
  const { drafts } = state;

  /** Returns the drafts of a step, or null if another step or the user's own review has a part in one of their files. */
  function toOwn(step: string): ReturnType<typeof drafts.changed> | null {
    const made = drafts.changed().filter(({ steps }) => steps?.includes(step));
    return made.length > 0 && made.every(({ steps }) => steps?.length === 1) ? made : null;
  }

  return async (step, { label, validate, begin }) => {
    if (state.session?.state !== 'drafting') throw new AppError('E_POLICY_VIOLATION', 'No turn is running.');
    const { id } = state.session;
    const own = toOwn(step);
    if (own === null) return { kind: 'drafted', issues: [] };
    await requireAllowed(own, options);
    const valid = await validate(own);
    if ('issues' in valid) return { kind: 'drafted', issues: valid.issues };
    const { transaction } = valid;
    const changes = valid.changes.map((change) => ({ ...change, steps: [step] }));
    const paths = changes.map(({ path }) => path);
    await begin(paths, transaction);
    try {
      await options.writer.apply(changes, { ...label, origin: 'agent', transaction, isPending: true });
    } catch (error) {
      // The drafts are still there for the review, and the log of changes says that this failed.
      if (!(error instanceof AppError)) throw error;
      return { kind: 'drafted', issues: [toIssue('unwritten', paths.join(', '))] };
    }
    options.emit('project.filesChanged', { paths });
    options.emit('history.changed', {});
    if (state.session?.id === id) {
      for (const { path } of own) drafts.remove(path);
      state.announce();
    }
    return { kind: 'written', transaction, paths };
  };
}
