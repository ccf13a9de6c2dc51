import { type ErrorData, toErrorData } from '../../../../shared/errors.ts';
import type { CheckpointService } from '../../checkpoints/checkpoints.ts';
import type { GitService } from '../../git/git-service.ts';
import type { TransactionService } from '../../history/transaction-service.ts';
import type { Clock } from '../../ports/host.ts';
import type { Chat, History } from '../../services.ts';
import type { Audit, AuditNote } from './audit.ts';

/** The services by which the user decides about changes and undoes them. */
interface DecisionServices {
  chat: Chat;
  history: History;
  checkpoints: CheckpointService;
  transactions: TransactionService;
  git: GitService;
}

type Facts = Pick<AuditNote, 'kind' | 'name' | 'capability' | 'args' | 'trace'>;
type Outcome = Partial<Pick<AuditNote, 'files' | 'undo' | 'args'>>;

const toPaths = (files: readonly { path: string }[]): string[] => files.map(({ path }) => path);

interface NoterOptions {
  audit: Pick<Audit, 'note'>;
  clock: Clock;
  onFault: (fault: { where: string; error: unknown }) => void;
}

type Noted = <T>(facts: Facts, work: () => Promise<T>, toOutcome: (result: T) => Outcome) => Promise<T>;

/** Returns a function that does some work and logs it. */
function createNoter({ audit, clock, onFault }: NoterOptions): Noted {
  return async (facts, work, toOutcome) => {
    const at = clock.now();
    const write = (outcome: Outcome, error: ErrorData | null) =>
      audit
        .note({ ...facts, files: [], undo: [], ...outcome, error, at, ms: Math.max(0, clock.now() - at) })
        // What was decided has happened; a failure now would make the user repeat it.
        .catch((failure: unknown) => onFault({ where: 'audit log', error: failure }));
    try {
      const result = await work();
      await write(toOutcome(result), null);
      return result;
    } catch (error) {
      await write({}, toErrorData(error));
      throw error;
    }
  };
}

const restoring = (capability: string, args: Record<string, unknown>, trace: string): Facts => ({
  ...{ kind: 'rollback', name: 'restore_files', capability, args, trace },
});

/** Returns the services with a line in the audit log for each acceptance, rejection and undo, also for those that failed. */
export function auditDecisions(services: DecisionServices, options: NoterOptions): DecisionServices {
  const { chat, history, checkpoints, transactions, git } = services;
  const noted = createNoter(options);
  return {
    chat: {
      ...chat,
      accept: (request) =>
        noted(
          {
            kind: 'approve',
            name: 'accept_proposal',
            capability: 'agent.proposal.accept',
            args: {},
            trace: request.id,
          },
          () => chat.accept(request),
          (result) =>
            result.status === 'applied'
              ? { files: toPaths(result.files), undo: [result.group] }
              : { args: { conflicts: result.conflicts } },
        ),
      reject: (request) =>
        noted(
          {
            ...{ kind: 'reject', name: 'reject_proposal', capability: 'agent.proposal.reject', trace: request.id },
            args: { feedback: { characters: request.feedback.length } },
          },
          () => chat.reject(request),
          () => ({}),
        ),
    },
    ...auditUndoing({ history, checkpoints, transactions }, noted),
    git: auditGit(git, noted),
  };
}

/** The part of `auditDecisions` by which changes are undone. */
function auditUndoing(
  { history, checkpoints, transactions }: Omit<DecisionServices, 'chat' | 'git'>,
  noted: Noted,
): Omit<DecisionServices, 'chat' | 'git'> {
  return {
    history: {
      ...history,
      restore: (ids) =>
        noted(
          restoring('history.snapshot.restore', { snapshots: ids.length }, ids[0] ?? ''),
          () => history.restore(ids),
          ({ group, files }) => ({ files: toPaths(files), undo: [group] }),
        ),
      undo: (files) =>
        noted(
          restoring('history.change.undo', { files: files.length }, files[0]?.snapshotId ?? ''),
          () => history.undo(files),
          (result) => ({ files: toPaths(result.files), undo: [result.group] }),
        ),
    },
    checkpoints: {
      ...checkpoints,
      restore: (id, paths) =>
        noted(
          restoring('history.checkpoint.restore', { checkpoint: id }, id),
          () => checkpoints.restore(id, paths),
          ({ before, changed, failed }) => ({
            ...{ files: changed.slice(0, 1000), undo: [before] },
            args: { checkpoint: id, changed: changed.length, failed: failed.length },
          }),
        ),
    },
    transactions: {
      ...transactions,
      rollBack: (id) =>
        noted(
          restoring('history.transaction.undo', { transaction: id }, id),
          () => transactions.rollBack(id),
          (result) => (result.status === 'applied' ? { files: toPaths(result.files), undo: [result.group] } : {}),
        ),
    },
  };
}

function auditGit(git: GitService, noted: Noted): GitService {
  return {
    ...git,
    commit: (request) =>
      noted(
        {
          ...{ kind: 'approve', name: 'commit_files', capability: 'git.write', trace: request.paths[0] ?? '' },
          args: { files: request.paths.length, message: { characters: request.message.length } },
        },
        () => git.commit(request),
        ({ id }) => ({ files: request.paths.slice(0, 1000), args: { commit: id, files: request.paths.length } }),
      ),
    restore: (version) =>
      noted(
        restoring('history.commit.restore', { commit: version.id }, version.id),
        () => git.restore(version),
        ({ group, files }) => ({ files: toPaths(files), undo: [group] }),
      ),
  };
}
