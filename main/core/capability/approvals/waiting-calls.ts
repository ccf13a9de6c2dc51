import { AppError } from '../../../../shared/errors.ts';
import { PendingApproval, StoredApproval } from '../../../../shared/model/capability/approval.ts';
import type { Caller } from '../../../../shared/model/capability/caller.ts';
import type { ApprovalStore } from '../../ports/stores/approval-store.ts';
import type { Postponed } from '../runner/runner-options.ts';
import { boundCalls, isOpen, toBytes } from './bound-calls.ts';

/** Milliseconds that a call waits for an answer. */
const WAITS_MS = 72 * 3_600_000;
/**
 * Calls that wait at a time: of all callers, of those that came one way, and of one. A program can claim any number of names, so one way
 * leaves room for the other.
 */
const MAX_WAITING = { all: 100, way: 60, caller: 20 };
/** Shares of the bytes of the list that such calls take, for the same reason. */
const MAX_SHARE = { way: 0.5, caller: 0.25 };
/** Calls with an outcome that are kept for their callers. */
const MAX_ENDED = 100;
const MAX_CHARACTERS = 256 * 1024;

/** The calls of a game that wait for the user's word, as their callers see them. Answers are given elsewhere. */
export interface WaitingCalls {
  /** Stores a call that needs a question. Returns the error that its caller receives. */
  postpone(call: Postponed): Promise<AppError>;
  list(): Promise<PendingApproval[]>;
  /** Returns one with its result. Throws `E_NOT_FOUND`. */
  find(id: string): Promise<PendingApproval & { result?: unknown }>;
}

interface WaitingCallOptions {
  store: Pick<ApprovalStore, 'read' | 'change' | 'maxBytes'>;
  clock: { now(): number };
  /** Over what the calls come. */
  from: StoredApproval['from'];
  /** The one caller whose calls are shown; absent: those of all. */
  only?: Pick<Caller, 'id' | 'name'>;
  /** What a caller does to learn the outcome of a call, within a sentence. */
  toOutcome: (id: string) => string;
  /** Called after each change. */
  onChange: () => void;
}

export function createWaitingCalls({
  store,
  clock,
  from,
  only,
  toOutcome,
  onChange,
}: WaitingCallOptions): WaitingCalls {
  const isShown = (entry: StoredApproval): boolean => only === undefined || isOf(entry, { from, caller: only });
  const read = async () => toCurrent(await store.read(), clock.now()).filter(isShown);
  return {
    async postpone(call) {
      const entry = toEntry(call, { id: crypto.randomUUID(), now: clock.now(), from });
      const kept = await store.change((stored) => addEntry(toCurrent(stored, clock.now()), entry, store));
      onChange();
      return toPending(kept, toOutcome(kept.id));
    },
    list: async () => (await read()).map(toShown),
    async find(id) {
      const entry = (await read()).find((each) => each.id === id);
      if (!entry) throw toUnknown();
      return { ...toShown(entry), ...(entry.result !== undefined && { result: entry.result }) };
    },
  };
}

/** True for calls that came the same way from a caller of the same name. */
const isOf = (
  one: Pick<StoredApproval, 'from' | 'caller'>,
  other: { from: StoredApproval['from']; caller: Pick<Caller, 'id' | 'name'> },
): boolean => one.from === other.from && one.caller.id === other.caller.id && one.caller.name === other.caller.name;

/** Returns the entries of the present version that are valid, with those that waited too long as expired. */
export function toCurrent(stored: readonly unknown[], now: number): StoredApproval[] {
  const entries = stored.flatMap((each) => StoredApproval.safeParse(each).data ?? []);
  const isLate = ({ state, expiresAt }: StoredApproval) =>
    (state === 'waiting' || state === 'approved') && expiresAt <= now;
  return entries.map((entry) => (isLate(entry) ? { ...entry, state: 'expired' } : entry));
}

/** Adds a call; the same call of the same caller, asked for again, is the one that waits. Throws if too many wait, or too much. */
function addEntry(
  entries: readonly StoredApproval[],
  entry: StoredApproval,
  { maxBytes }: Pick<ApprovalStore, 'maxBytes'>,
): { next: StoredApproval[] | null; result: StoredApproval } {
  const key = toKey(entry);
  const waiting = entries.filter(({ state }) => state === 'waiting');
  const same = waiting.find((each) => toKey(each) === key);
  if (same) return { next: null, result: same };
  const ofCaller = waiting.filter((each) => isOf(each, entry));
  const ofWay = waiting.filter(({ from }) => from === entry.from);
  if (ofCaller.length >= MAX_WAITING.caller) throw toCallerFull(ofCaller.length);
  if (waiting.length >= MAX_WAITING.all || ofWay.length >= MAX_WAITING.way) throw toFull();
  const open = entries.filter(isOpen);
  // What was allowed and waits for its program takes room as well.
  const share = (calls: readonly StoredApproval[]) => toBytes([...calls, entry]) / maxBytes;
  const openOfWay = open.filter(({ from }) => from === entry.from);
  if (share(openOfWay.filter((each) => isOf(each, entry))) > MAX_SHARE.caller) throw toTooMuch();
  if (share(openOfWay) > MAX_SHARE.way) throw toFull();
  const ended = entries.filter((each) => !isOpen(each)).slice(-MAX_ENDED);
  const bounded = boundCalls([...ended, ...open, entry], { id: entry.id, maxBytes });
  if (!bounded.fits) throw toFull();
  return { next: bounded.entries, result: entry };
}

const toKey = ({ from, caller, capability, version, input }: StoredApproval): string =>
  JSON.stringify([from, caller.id, caller.name ?? null, capability, version, input]);

function toEntry(
  { call, tool, input, question }: Postponed,
  { id, now, from }: Pick<StoredApproval, 'id' | 'from'> & { now: number },
): StoredApproval {
  const entry: StoredApproval = {
    ...{ id, from, createdAt: now, expiresAt: now + WAITS_MS, caller: call.caller, capability: tool.capability },
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

export function toShown(entry: StoredApproval): PendingApproval {
  return PendingApproval.parse(entry);
}

/** What the caller receives now; it asks for the outcome with the id. */
function toPending({ id, expiresAt, capability, risk }: StoredApproval, outcome: string): AppError {
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
      hint: `Do not call it again; ${outcome}.`,
      reason: 'tool.pending',
    },
  );
}

export function toUnknown(): AppError {
  return new AppError('E_NOT_FOUND', 'There is no such call.', { reason: 'approval.unknown' });
}

function toFull(): AppError {
  return new AppError('E_POLICY_VIOLATION', 'Too many calls wait for the user already. Nothing was done.', {
    hint: 'Wait until the user has answered some of them.',
    reason: 'approval.full',
  });
}

function toCallerFull(count: number): AppError {
  const message = `${count} calls of this program wait for the user already, which is its share. Nothing was done.`;
  return new AppError('E_POLICY_VIOLATION', message, {
    details: { waiting: count },
    hint: 'Wait until the user has answered some of them; ask for several things with one call.',
    reason: 'approval.callerFull',
  });
}

function toTooMuch(): AppError {
  const message = 'What waits of this program for the user is as large as its share already. Nothing was done.';
  return new AppError('E_POLICY_VIOLATION', message, {
    hint: 'Wait until the user has answered some of its calls; ask for less with one call.',
    reason: 'approval.callerFull',
  });
}

function toTooLarge(): AppError {
  return new AppError('E_TOO_LARGE', 'The call is too large to wait for the user. Nothing was done.', {
    hint: 'Do it in smaller parts.',
    reason: 'approval.tooLarge',
  });
}
