import type { Emit, Parsed } from '../../../shared/contract.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import type { AcceptResult, Proposal } from '../../../shared/model/proposal.ts';
import { assertIdle, assertInReview } from './assert-ready.ts';
import type { ChatPorts } from './chat-ports.ts';
import { toLoggedPieces } from './logged-pieces.ts';
import { toDraftEvent, toReviewEvent } from './loop/run-turn.ts';
import type { LoggedPieces } from './session/events/piece-events.ts';
import type { LogEvent, LogEventOf } from './session/log-events.ts';
import { toLogState } from './session/log-state.ts';
import type { OpenSessions } from './session/open-sessions.ts';
import { toSessionTitle } from './session/session-list.ts';
import type { SessionLog } from './session/session-log.ts';
import type { Turns } from './turns.ts';

/** Events with the user's own words; history entries are labelled with them. */
const USER_MESSAGE_KINDS: ReadonlySet<LogEventOf<'user'>['kind']> = new Set(['message', 'feedback']);

/** The user's decisions about the proposal in review, logged in the open session. */
export interface Decisions {
  accept(request: Parsed<'proposal.accept'>): Promise<AcceptResult>;
  /** Discards the proposal; with feedback, starts a turn that revises it. */
  reject(request: Parsed<'proposal.reject'>, stop: AbortController): Promise<void>;
}

export interface DecisionsOptions {
  ports: Pick<ChatPorts, 'proposals' | 'clock' | 'emit' | 'locale'>;
  sessions: Pick<OpenSessions, 'active' | 'claim'>;
  turns: Turns;
}

export function createDecisions({ ports, sessions, turns }: DecisionsOptions): Decisions {
  const { proposals, clock, emit } = ports;

  const keepDecision = (log: SessionLog, events: readonly LogEvent[]): Promise<void> => keepSurely(log, events, emit);

  /** Accepts in the log's terms: the intention first, the outcome last, so that a restart finds out what was written. */
  async function acceptLogged(log: SessionLog, request: Parsed<'proposal.accept'>): Promise<AcceptResult> {
    const label = { title: toHistoryTitle(log, ports.locale()), group: clock.id() };
    const current = proposals.current();
    const paths = request.paths ?? current?.files.map(({ path }) => path) ?? [];
    const decision = { t: 'decision', proposal: request.id } as const;
    const pieces = toLoggedPieces(current?.files ?? [], request.pieces ?? []);
    const decided = { paths, ...(pieces.length > 0 && { pieces }) };
    await log.append({ t: 'decision.begin', at: clock.now(), proposal: request.id, group: label.group, ...decided });
    const head = () => ({ turn: current?.turn ?? '', at: clock.now() });
    const keep = () => keepDecision(log, [{ ...decision, at: clock.now(), outcome: 'kept' }]);
    const waiting: string[] = [];
    let result: AcceptResult;
    try {
      result = await proposals.accept(request, label, {
        keepMerged: (draft) => log.append(toDraftEvent(draft, head())),
        keepPart: (part) => log.append({ t: 'draft.part', ...head(), ...part }),
        async keepRest(draft) {
          waiting.push(draft.path);
          await keepDecision(log, [toDraftEvent(draft, head())]);
        },
      });
    } catch (error) {
      await keep();
      throw error;
    }
    if (result.status === 'conflict') {
      await keep();
      return result;
    }
    const at = clock.now();
    const events: LogEvent[] = [
      { ...decision, at, outcome: 'accepted', group: result.group, ...decided, ...(waiting.length > 0 && { waiting }) },
    ];
    // What was not accepted waits on a new card.
    const rest = proposals.current();
    if (rest) events.push(toReviewEvent(rest, { turn: rest.turn, at }));
    await keepDecision(log, events);
    return result;
  }

  return {
    async accept(request) {
      const session = sessions.active();
      assertIdle(session);
      assertInReview(proposals, request.id);
      const proposal = proposals.current();
      if (proposal?.author === 'user') {
        return proposals.accept(request, { group: `edit_${clock.id()}`, title: proposal.summary });
      }
      await sessions.claim();
      const result = await acceptLogged(session.log, request);
      session.publisher.publish();
      return result;
    },
    async reject({ id, feedback }, stop) {
      const session = sessions.active();
      assertIdle(session);
      assertInReview(proposals, id);
      const text = feedback.trim();
      if (proposals.current()?.author !== 'user') {
        await sessions.claim();
        const head = { t: 'decision', at: clock.now(), proposal: id, outcome: 'rejected' } as const;
        const rest = toRejectedRest(session.log, proposals.current());
        await session.log.append({ ...head, ...rest, ...(text !== '' && { feedback: text }) });
      }
      await proposals.discard();
      session.publisher.publish();
      if (text !== '') await turns.start({ kind: 'feedback', mode: 'act', text }, stop);
    },
  };
}

/** Logs the outcome of an acceptance. The files are written already, so a failing log must not report a failure. */
async function keepSurely(log: SessionLog, events: readonly LogEvent[], emit: Emit): Promise<void> {
  try {
    // One retry for a busy disk; a second failure is reported.
    await log.append(...events).catch(() => log.append(...events));
  } catch {
    log.appendLater(...events);
    emit('app.noticed', { level: 'error', reason: 'chat.notKept', details: {} });
  }
}

/** Returns what is logged when the user rejects what an acceptance of the same proposal left. */
function toRejectedRest(
  { counted }: SessionLog,
  proposal: Proposal | null,
): { isRest?: true; pieces?: LoggedPieces[] } {
  const isRest = counted.some(
    (event) => event.t === 'decision' && event.proposal === proposal?.id && event.outcome === 'accepted',
  );
  return isRest ? { isRest, pieces: toLoggedPieces(proposal?.files ?? [], 'none') } : {};
}

/** Returns the title of the history entry: the message that asked for the change. */
function toHistoryTitle({ counted: events }: SessionLog, locale: Locale): string {
  const asked = events.findLast((event) => event.t === 'user' && USER_MESSAGE_KINDS.has(event.kind));
  const { practice } = toLogState(events);
  return toSessionTitle({ title: asked?.t === 'user' ? asked.text : null, practice }, locale);
}
