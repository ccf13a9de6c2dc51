import type { Emit, Parsed } from '../../../shared/contract.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import type { AcceptResult } from '../../../shared/model/proposal.ts';
import type { ChatPorts } from './chat-ports.ts';
import { toLoggedPieces } from './logged-pieces.ts';
import { toDraftEvent, toReviewEvent } from './loop/run-turn.ts';
import type { LogEvent, LogEventOf } from './session/log-events.ts';
import { toLogState } from './session/log-state.ts';
import { toPatchSteps } from './session/plans/plan-state.ts';
import { toSessionTitle } from './session/session-list.ts';
import type { SessionLog } from './session/session-log.ts';

/** Events with the user's own words; history entries are labelled with them. */
const USER_MESSAGE_KINDS: ReadonlySet<LogEventOf<'user'>['kind']> = new Set(['message', 'feedback']);

export type LoggedAcceptPorts = Pick<ChatPorts, 'proposals' | 'clock' | 'emit' | 'locale'>;

/** Accepts in the log's terms: the intention first, the outcome last, so that a restart finds out what was written. */
export async function acceptLogged(
  { proposals, clock, emit, locale }: LoggedAcceptPorts,
  log: SessionLog,
  request: Parsed<'proposal.accept'>,
): Promise<AcceptResult> {
  const current = proposals.current();
  const paths = request.paths ?? current?.files.map(({ path }) => path) ?? [];
  const written = current?.files.filter(({ path }) => paths.includes(path)) ?? [];
  const patch = toPatchSteps(
    log.counted,
    written.flatMap(({ steps = [] }) => steps),
  );
  const title = toHistoryTitle(log, locale());
  const label = { title, group: clock.id(), ...(patch.length > 0 && { patch }) };
  const decision = { t: 'decision', proposal: request.id } as const;
  const pieces = toLoggedPieces(current?.files ?? [], request.pieces ?? []);
  const decided = { paths, ...(pieces.length > 0 && { pieces }) };
  await log.append({ t: 'decision.begin', at: clock.now(), proposal: request.id, group: label.group, ...decided });
  const head = () => ({ turn: current?.turn ?? '', at: clock.now() });
  const keep = () => keepSurely(log, [{ ...decision, at: clock.now(), outcome: 'kept' }], emit);
  const waiting: string[] = [];
  let result: AcceptResult;
  try {
    result = await proposals.accept(request, label, {
      keepMerged: (draft) => log.append(toDraftEvent(draft, head())),
      keepPart: (part) => log.append({ t: 'draft.part', ...head(), ...part }),
      async keepRest(draft) {
        waiting.push(draft.path);
        await keepSurely(log, [toDraftEvent(draft, head())], emit);
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
  const versions = Object.fromEntries(result.files.map(({ path, version }) => [path, version]));
  const events: LogEvent[] = [
    {
      ...{ ...decision, at, outcome: 'accepted', group: result.group, ...decided, versions },
      ...(waiting.length > 0 && { waiting }),
    },
  ];
  // What was not accepted waits on a new card.
  const rest = proposals.current();
  if (rest) events.push(toReviewEvent(rest, { turn: rest.turn, at }));
  await keepSurely(log, events, emit);
  return result;
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

/** Returns the title of the history entry: the message that asked for the change. */
function toHistoryTitle({ counted: events }: SessionLog, locale: Locale): string {
  const asked = events.findLast((event) => event.t === 'user' && USER_MESSAGE_KINDS.has(event.kind));
  const { practice } = toLogState(events);
  return toSessionTitle({ title: asked?.t === 'user' ? asked.text : null, practice }, locale);
}
