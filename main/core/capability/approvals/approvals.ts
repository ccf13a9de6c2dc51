import { AppError, toErrorData } from '../../../../shared/errors.ts';
import { PendingApproval, StoredApproval } from '../../../../shared/model/capability/approval.ts';
import { ChangeSummary } from '../../../../shared/model/change-summary.ts';
import type { ApprovalStore } from '../../ports/stores/approval-store.ts';
import type { ToolOutcome, ToolRunner } from '../../services.ts';
import type { Audit } from '../audit/audit.ts';
import type { ConfirmQuestion } from '../runner/confirm.ts';
import type { Postponed } from '../runner/runner-options.ts';

/** Milliseconds that a call waits for an answer. */
const WAITS_MS = 72 * 3_600_000;
/** Calls that wait at a time, of all callers and of one; and those with an outcome that are kept for their callers. */
const MAX_WAITING = { all: 100, caller: 20 };
const MAX_ENDED = 100;
const MAX_CHARACTERS = 256 * 1024;
const MAX_RESULT_CHARACTERS = 256 * 1024;

/** The calls of an open game that wait for the user's word. Each one is answered once and runs at most once. */
export interface Approvals {
  /** Stores a call that needs a question. Returns the error that its caller receives. */
  postpone(call: Postponed): Promise<AppError>;
  list(): Promise<PendingApproval[]>;
  /** Returns one with its result. Throws `E_NOT_FOUND`. */
  find(id: string): Promise<PendingApproval & { result?: unknown }>;
  /** Answers for the user and, after the last yes, carries out the call. Throws `E_CONFLICT` if it was answered before. */
  answer(id: string, answer: 'approve' | 'reject'): Promise<PendingApproval>;
  /** Carries out what was approved before the app ended, and marks what was interrupted. */
  resume(): Promise<void>;
  /** Carries out what was approved and waits for its program, where that is connected by now. Call it when tools came. Never rejects. */
  toolsCame(): Promise<void>;
}

interface ApprovalOptions {
  store: ApprovalStore;
  run: ToolRunner['run'];
  /** Whether a tool of this name exists now: those of other programs come later than the game, and may come back. */
  isThere: (tool: string) => boolean;
  audit: Pick<Audit, 'note'>;
  clock: { now(): number };
  /** Called after each change. */
  onChange: () => void;
  onFault: (fault: { where: string; error: unknown }) => void;
}

export function createApprovals(options: ApprovalOptions): Approvals {
  const { store, clock, onChange } = options;
  const { update, executeSoon, settle, takeReady, hasUnready } = createExecution(options);
  const readAll = async (): Promise<StoredApproval[]> => toCurrent(await store.read(), clock.now());

  return {
    async postpone(call) {
      const id = crypto.randomUUID();
      const entry = toEntry(call, { id, now: clock.now() });
      const kept = await store.change((stored) => addEntry(toCurrent(stored, clock.now()), entry));
      onChange();
      return toPending(kept);
    },
    list: async () => (await readAll()).map(toShown),
    async find(id) {
      const entry = (await readAll()).find((each) => each.id === id);
      if (!entry) throw toUnknown();
      return { ...toShown(entry), ...(entry.result !== undefined && { result: entry.result }) };
    },
    async answer(id, answer) {
      const at = clock.now();
      let refusal: AppError = toUnknown();
      const entry = await update(id, (each) => {
        if (each.state === 'waiting') return toAnswered(each, answer, at);
        refusal = toAnsweredBefore(each.state);
        return null;
      });
      if (entry === null) throw refusal;
      await noteAnswer(entry, answer, options);
      if (entry.state === 'approved') await executeSoon(entry);
      return toShown((await readAll()).find((each) => each.id === id) ?? entry);
    },
    async resume() {
      for (const entry of await readAll()) {
        await settle(entry).catch((error: unknown) => options.onFault({ where: 'approvals', error }));
      }
    },
    async toolsCame() {
      if (!hasUnready()) return;
      try {
        for (const entry of await readAll()) {
          if (takeReady(entry) && entry.state === 'approved') await executeSoon(entry);
        }
      } catch (error) {
        options.onFault({ where: 'approvals', error });
      }
    },
  };
}

/** Changes the stored calls, and runs those that were approved, each at most once. */
function createExecution(options: ApprovalOptions) {
  const { store, clock, onChange } = options;
  /** Approved calls whose program is not connected. */
  const unready = new Set<string>();

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
      return { next: entries.map((each) => (each.id === id ? next : each)), result: next };
    });
    if (changed) onChange();
    return changed;
  }

  /** Runs an approved call. The state on disk says that it started before it does, so that it never starts again. */
  async function execute(id: string): Promise<void> {
    if (!(await store.claim(id))) return;
    try {
      const entry = await update(id, (each) => (each.state === 'approved' ? { ...each, state: 'running' } : null));
      if (entry === null) return;
      const outcome = await options.run(toCall(entry));
      await update(id, (each) => ({ ...each, ...toEnd(outcome) }));
    } finally {
      await store.release(id);
    }
  }

  /** Runs an approved call as soon as its tool is there; until then it stays approved, and expires like one without an answer. */
  async function executeSoon({ id, tool }: StoredApproval): Promise<void> {
    if (options.isThere(tool)) await execute(id);
    else unready.add(id);
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
    /** Takes a call from those that wait for their program; false if it does not. */
    takeReady: ({ id }: StoredApproval): boolean => unready.delete(id),
    hasUnready: (): boolean => unready.size > 0,
  };
}

/** The call as it was made, with the answer to the question that it will be asked. */
function toCall(entry: StoredApproval): Parameters<ToolRunner['run']>[0] {
  const { tool: name, input, version, caller, trace, id, declaration } = entry;
  const shown = toShownText(entry);
  return {
    ...{ id, name, input, caller, trace, mode: 'act', signal: new AbortController().signal, isCounted: true },
    // Versions of tools of other programs are counted anew at each start; their declaration is compared instead.
    ...(declaration === undefined && { version }),
    // Consent covers exactly what was shown.
    confirm: async (question: ConfirmQuestion) => toShownText(question) === shown,
  };
}

const toShownText = ({
  detail,
  change,
  declaration,
}: Pick<StoredApproval, 'detail' | 'change' | 'declaration'>): string =>
  JSON.stringify([detail ?? null, change ? ChangeSummary.parse(change) : null, declaration ?? null]);

function toEnd(outcome: ToolOutcome): Pick<StoredApproval, 'state' | 'error' | 'result'> {
  if (!outcome.ok) return { state: 'failed', error: outcome.error ?? null };
  const isSmall = (JSON.stringify(outcome.value) ?? '').length <= MAX_RESULT_CHARACTERS;
  return { state: 'done', error: null, ...(isSmall && { result: outcome.value }) };
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

/** Returns the entries of the present version that are valid, with those that waited too long as expired. */
function toCurrent(stored: readonly unknown[], now: number): StoredApproval[] {
  const entries = stored.flatMap((each) => StoredApproval.safeParse(each).data ?? []);
  const isLate = ({ state, expiresAt }: StoredApproval) =>
    (state === 'waiting' || state === 'approved') && expiresAt <= now;
  return entries.map((entry) => (isLate(entry) ? { ...entry, state: 'expired' } : entry));
}

/** Adds a call; the same call of the same caller, asked for again, is the one that waits. Throws if too many wait. */
function addEntry(
  entries: readonly StoredApproval[],
  entry: StoredApproval,
): { next: StoredApproval[] | null; result: StoredApproval } {
  const key = toKey(entry);
  const waiting = entries.filter(({ state }) => state === 'waiting');
  const same = waiting.find((each) => toKey(each) === key);
  if (same) return { next: null, result: same };
  const ofCaller = waiting.filter(({ caller }) => caller.id === entry.caller.id && caller.name === entry.caller.name);
  if (waiting.length >= MAX_WAITING.all || ofCaller.length >= MAX_WAITING.caller) throw toFull();
  const open = entries.filter(isOpen);
  const ended = entries.filter((each) => !isOpen(each)).slice(-MAX_ENDED);
  return { next: [...ended, ...open, entry], result: entry };
}

const isOpen = ({ state }: StoredApproval): boolean =>
  state === 'waiting' || state === 'approved' || state === 'running';

const toKey = ({ caller, capability, version, input }: StoredApproval): string =>
  JSON.stringify([caller.id, caller.name ?? null, capability, version, input]);

function toEntry({ call, tool, input, question }: Postponed, { id, now }: { id: string; now: number }): StoredApproval {
  const entry: StoredApproval = {
    ...{ id, createdAt: now, expiresAt: now + WAITS_MS, caller: call.caller, capability: tool.capability },
    ...{ version: tool.version, tool: tool.name, risk: tool.risk.level, title: tool.title, summary: question.summary },
    ...{ paths: [...question.scope.paths], state: 'waiting', questions: question.scope.questions, agreed: 0 },
    ...{ answeredAt: null, error: null, trace: call.trace, input },
    ...(question.detail !== undefined && { detail: question.detail }),
    ...(question.change !== undefined && { change: question.change }),
    ...(question.claims !== undefined && { claims: [...question.claims] }),
    ...(question.declaration !== undefined && { declaration: question.declaration }),
  };
  if (JSON.stringify(entry).length > MAX_CHARACTERS) throw toTooLarge();
  return StoredApproval.parse(JSON.parse(JSON.stringify(entry)));
}

function toShown(entry: StoredApproval): PendingApproval {
  return PendingApproval.parse(entry);
}

/** What the caller receives now; it asks for the outcome with the id. */
function toPending({ id, expiresAt, capability, risk }: StoredApproval): AppError {
  return new AppError(
    'E_POLICY_VIOLATION',
    'The user has to agree first; the call waits in the app. Nothing was done yet.',
    {
      details: {
        approvalId: id,
        capabilityId: capability,
        riskLevel: risk,
        expiresAt: new Date(expiresAt).toISOString(),
      },
      hint: `Do not call it again; ask for the outcome at /api/v1/approvals/${id}.`,
      reason: 'tool.pending',
    },
  );
}

function toRejected(): AppError {
  return new AppError('E_POLICY_VIOLATION', 'The user refused this call. Nothing was changed.', {
    reason: 'tool.declined',
  });
}

function toUnknown(): AppError {
  return new AppError('E_NOT_FOUND', 'There is no such call.', { reason: 'approval.unknown' });
}

function toAnsweredBefore(state: StoredApproval['state']): AppError {
  const isExpired = state === 'expired';
  return new AppError('E_CONFLICT', isExpired ? 'The call waited too long.' : 'The call was answered before.', {
    reason: isExpired ? 'approval.expired' : 'approval.answered',
  });
}

function toFull(): AppError {
  return new AppError('E_POLICY_VIOLATION', 'Too many calls wait for the user already. Nothing was done.', {
    hint: 'Wait until the user has answered some of them.',
    reason: 'approval.full',
  });
}

function toTooLarge(): AppError {
  return new AppError('E_TOO_LARGE', 'The call is too large to wait for the user. Nothing was done.', {
    hint: 'Do it in smaller parts.',
    reason: 'approval.tooLarge',
  });
}
