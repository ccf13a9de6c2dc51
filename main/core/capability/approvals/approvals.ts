import { AppError, type ErrorData, toErrorData } from '../../../../shared/errors.ts';
import { groupBy } from '../../../../shared/group-by.ts';
import type { PendingApproval, StoredApproval } from '../../../../shared/model/capability/approval.ts';
import { type Role, toLowerRole } from '../../../../shared/model/capability/role.ts';
import { ChangeSummary } from '../../../../shared/model/change-summary.ts';
import type { ApprovalStore } from '../../ports/stores/approval-store.ts';
import type { ToolOutcome, ToolRunner } from '../../services.ts';
import type { Audit } from '../audit/audit.ts';
import type { ConfirmQuestion } from '../runner/confirm.ts';
import { boundCalls } from './bound-calls.ts';
import { createWaitingCalls, toCurrent, toShown, toUnknown, type WaitingCalls } from './waiting-calls.ts';

const MAX_RESULT_CHARACTERS = 256 * 1024;
const MAX_ERROR_CHARACTERS = 8 * 1024;
/** How often a call is begun whose program leaves in that moment. */
const MAX_TRIES = 3;
/** Why a call was not sent: its program is not there, or not any more. */
const NOT_SENT: ReadonlySet<string> = new Set(['tool.unknown', 'tool.gone', 'provider.away']);

/** The calls of an open game that wait for the user's word. Each one is answered once and runs at most once. */
export interface Approvals extends WaitingCalls {
  /**
   * Answers for the user and, after the last yes, carries out the call. `agreed`: how often the user had agreed to it when it was shown.
   * Throws `E_CONFLICT` if it was answered before.
   */
  answer(id: string, answer: 'approve' | 'reject', agreed?: number): Promise<PendingApproval>;
  /** Carries out what was approved before the app ended, and marks what was interrupted. */
  resume(): Promise<void>;
  /** Carries out what was approved and waits for its program, where that is connected by now. Call it when tools came. Never rejects. */
  toolsCame(): Promise<void>;
  /** Carries out what another window left approved, where its program is connected here. Call it when the store changed. Never rejects. */
  storeChanged(): Promise<void>;
}

interface ApprovalOptions {
  store: ApprovalStore;
  run: ToolRunner['run'];
  /** Whether a tool of this name exists now: those of other programs come later than the game, and may come back. */
  isThere: (tool: string) => boolean;
  /** The role that callers have now, by the way that they came; null where the user gave none. May reject: then nothing runs yet. */
  roleNow: (from: StoredApproval['from']) => Promise<Role | null>;
  audit: Pick<Audit, 'note'>;
  clock: { now(): number };
  /** Called after each change. */
  onChange: () => void;
  onFault: (fault: { where: string; error: unknown }) => void;
}

/** Callers of the discovery API find the outcome there, and see what others wait for, as the user does. */
const OVER_API = { from: 'api', toOutcome: (id: string) => `ask for the outcome at /api/v1/approvals/${id}` } as const;

export function createApprovals(options: ApprovalOptions): Approvals {
  const { store, clock } = options;
  const { update, executeSoon, settle, takeReady, isUnready } = createExecution(options);
  const calls = createWaitingCalls({ ...options, ...OVER_API });
  const readAll = async (): Promise<StoredApproval[]> => toCurrent(await store.read(), clock.now());
  const report = (error: unknown): void => options.onFault({ where: 'approvals', error });
  /** Calls of one program one after another, as it may carry out one at a time; those of others at the same time. */
  async function inTurns(entries: readonly StoredApproval[], work: (entry: StoredApproval) => Promise<void>) {
    const programs = groupBy(entries, ({ capability }) => capability.split('.').slice(0, 2).join('.'));
    const queues = [...programs.values()].map(async (queue) => {
      for (const entry of queue) await work(entry).catch(report);
    });
    await Promise.all(queues);
  }

  return {
    ...calls,
    async answer(id, answer, agreed) {
      const at = clock.now();
      let refusal: AppError = toUnknown();
      const entry = await update(id, (each) => {
        const isMeant = agreed === undefined || agreed === each.agreed;
        if (each.state === 'waiting' && isMeant) return toAnswered(each, answer, at);
        refusal = toAnsweredBefore(each.state);
        return null;
      });
      if (entry === null) throw refusal;
      await noteAnswer(entry, answer, options);
      if (entry.state === 'approved') await executeSoon(entry);
      return toShown((await readAll()).find((each) => each.id === id) ?? entry);
    },
    async resume() {
      await inTurns(await readAll(), settle);
    },
    toolsCame: () => inTurns(takeReady(), executeSoon),
    async storeChanged() {
      const stored = await readAll().catch(() => []);
      const left = stored.filter(({ id, state }) => state === 'approved' && !isUnready(id));
      await inTurns(left, executeSoon);
    },
  };
}

/** Changes the stored calls, and runs those that were approved, each at most once. */
function createExecution(options: ApprovalOptions) {
  const { store, clock, onChange } = options;
  /** Approved calls whose program is not connected, or that could not be begun, by id. */
  const unready = new Map<string, StoredApproval>();

  /** Changes one of the list durably. `change` returns null to leave it as it is. */
  async function update(
    id: string,
    change: (entry: StoredApproval) => StoredApproval | null,
  ): Promise<StoredApproval | null> {
    const changed = await store.change((stored) => {
      const entries = toCurrent(stored, clock.now());
      const entry = entries.find((each) => each.id === id);
      const next = entry ? change(entry) : null;
      if (next === null) return { next: null, result: null };
      const changed = entries.map((each) => (each.id === id ? next : each));
      // A long result takes the place of older ones.
      return { next: boundCalls(changed, { id, maxBytes: store.maxBytes }).entries, result: next };
    });
    if (changed) onChange();
    return changed;
  }

  /**
   * Runs an approved call. The state on disk says that it started before it does, so that it never starts again. Returns false if its
   * program left before anything was sent: the call is approved as before then.
   */
  async function execute({ id, from }: StoredApproval): Promise<boolean> {
    if (!(await store.claim(id))) return true;
    try {
      const role = await options.roleNow(from);
      const entry = await update(id, (each) => (each.state === 'approved' ? { ...each, state: 'running' } : null));
      if (entry === null) return true;
      const outcome = await options.run(toCall(entry, role));
      const hasLeft = NOT_SENT.has(outcome.error?.reason ?? '');
      await update(id, (each) => ({ ...each, ...(hasLeft ? { state: 'approved' as const } : toEnd(outcome)) }));
      return !hasLeft;
    } finally {
      await store.release(id);
    }
  }

  /** Runs an approved call as soon as its tool is there; until then it stays approved, and expires like one without an answer. */
  async function executeSoon(entry: StoredApproval): Promise<void> {
    let isOver = false;
    try {
      // Meanwhile the program may have come and gone; after some times it is left to the next change of the tools.
      for (let tries = 0; !isOver && tries < MAX_TRIES && options.isThere(entry.tool); tries += 1) {
        isOver = await execute(entry);
      }
    } finally {
      if (!isOver) unready.set(entry.id, entry);
    }
  }

  /** A call that another program carries out is left to it. */
  async function settle(entry: StoredApproval): Promise<void> {
    if (entry.state === 'approved') return executeSoon(entry);
    if (entry.state !== 'running' || !(await store.claim(entry.id))) return;
    try {
      await update(entry.id, (each) => (each.state === 'running' ? { ...each, state: 'interrupted' } : null));
    } finally {
      await store.release(entry.id);
    }
  }

  return {
    update,
    executeSoon,
    settle,
    isUnready: (id: string): boolean => unready.has(id),
    /** Takes the calls whose program is there from those that wait for theirs. */
    takeReady(): StoredApproval[] {
      const ready = [...unready.values()].filter(({ tool }) => options.isThere(tool));
      for (const { id } of ready) unready.delete(id);
      return ready;
    },
  };
}

/**
 * The call as it was made, with the answer to the question that it will be asked. Its caller may do what it could when it called, and
 * no more than its role of now: the user may have changed that meanwhile.
 */
function toCall(entry: StoredApproval, given: Role | null): Parameters<ToolRunner['run']>[0] {
  const { tool: name, input, version, trace, id, declaration } = entry;
  const { role } = entry.caller;
  const caller = { ...entry.caller, role: given === null ? role : toLowerRole(role, given) };
  const shown = toShownText(entry);
  return {
    ...{ id, name, input, caller, trace, mode: 'act', signal: new AbortController().signal, isCounted: true },
    // Versions of tools of other programs are counted anew at each start; their declaration is compared instead.
    ...(declaration === undefined && { version }),
    // Consent covers exactly what was shown.
    async confirm(question: ConfirmQuestion) {
      if (toShownText(question) !== shown) throw toChanged();
      return true;
    },
  };
}

const toShownText = ({
  detail,
  change,
  declaration,
}: Pick<StoredApproval, 'detail' | 'change' | 'declaration'>): string =>
  JSON.stringify([detail ?? null, change ? ChangeSummary.parse(change) : null, declaration ?? null]);

function toEnd(outcome: ToolOutcome): Pick<StoredApproval, 'state' | 'error' | 'result'> {
  if (!outcome.ok) return { state: 'failed', error: outcome.error ? toBounded(outcome.error) : null };
  const isSmall = (JSON.stringify(outcome.value) ?? '').length <= MAX_RESULT_CHARACTERS;
  return { state: 'done', error: null, ...(isSmall && { result: outcome.value }) };
}

/** Drops what details a long error has, and the end of its text. */
function toBounded(error: ErrorData): ErrorData {
  if (JSON.stringify(error).length <= MAX_ERROR_CHARACTERS) return error;
  const { details: _, hint: __, ...rest } = error;
  return { ...rest, message: error.message.slice(0, MAX_ERROR_CHARACTERS) };
}

function toAnswered(entry: StoredApproval, answer: 'approve' | 'reject', at: number): StoredApproval {
  if (answer === 'reject') return { ...entry, state: 'rejected', answeredAt: at, error: toErrorData(toRejected()) };
  const agreed = entry.agreed + 1;
  return agreed < entry.questions ? { ...entry, agreed } : { ...entry, agreed, state: 'approved', answeredAt: at };
}

/** Every answer is in the audit log, with the id of the call and without its text. */
async function noteAnswer(
  { id, caller, capability, trace }: StoredApproval,
  answer: 'approve' | 'reject',
  { audit, clock, onFault }: ApprovalOptions,
): Promise<void> {
  const at = clock.now();
  await audit
    .note({
      ...{ kind: answer, name: 'answer_call', capability, trace, at, ms: 0, error: null, files: [], undo: [] },
      args: { approval: id, caller: caller.id },
    })
    .catch((error: unknown) => onFault({ where: 'audit log', error }));
}

function toRejected(): AppError {
  return new AppError('E_POLICY_VIOLATION', 'The user refused this call. Nothing was changed.', {
    reason: 'tool.declined',
  });
}

function toChanged(): AppError {
  return new AppError('E_CONFLICT', 'What the call would do is not what the user agreed to. Nothing was changed.', {
    hint: 'Read again what is there now and call it again.',
    reason: 'approval.changed',
  });
}

function toAnsweredBefore(state: StoredApproval['state']): AppError {
  const isExpired = state === 'expired';
  return new AppError('E_CONFLICT', isExpired ? 'The call waited too long.' : 'The call was answered before.', {
    reason: isExpired ? 'approval.expired' : 'approval.answered',
  });
}
