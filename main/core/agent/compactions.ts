import { AppError } from '../../../shared/errors.ts';
import { createPaidRequests } from '../spending/paid-requests.ts';
import { createTurnAccount } from '../spending/turn-account.ts';
import { assertIdle, assertOwn } from './assert-ready.ts';
import type { ChatPorts } from './chat-ports.ts';
import { createTurnContext } from './context/turn-context.ts';
import { toInstructions } from './prompt/instructions.ts';
import { findCompactions } from './session/events/find-boundary.ts';
import { toLogState } from './session/log-state.ts';
import { occupySession } from './session/occupy-session.ts';
import type { OpenSession, OpenSessions } from './session/open-sessions.ts';

/** Summaries at the user's request; those that a turn needs are made by the turn. */
export interface Compactions {
  /**
   * Starts a summary of the open conversation; resolves while it is written. Throws while a turn runs, in a foreign session, and
   * `E_UNSUPPORTED` when there is nothing to summarise.
   */
  start(stop: AbortController): Promise<void>;
  /** Sends the model the full text again instead of the summary `id`. Throws `E_NOT_FOUND` if it is not in use. */
  undo(id: string): Promise<void>;
}

export function createCompactions(options: {
  ports: ChatPorts;
  sessions: Pick<OpenSessions, 'active' | 'claim'>;
  /** Called after a summary; may start a turn. */
  ended(session: OpenSession): void;
}): Compactions {
  const { ports, sessions, ended } = options;
  const { clock, emit, tools } = ports;

  function toFree(): OpenSession {
    const session = sessions.active();
    assertIdle(session);
    assertOwn(session);
    return session;
  }

  return {
    async start(stop) {
      const session = toFree();
      const { log } = session;
      const { practice, lastTurn } = toLogState(log.counted);
      if (practice || lastTurn === null) throw toNothing();
      await sessions.claim();
      const [model, briefing] = await Promise.all([ports.models.current(), ports.readBriefing()]);
      const instructions = toInstructions(briefing);
      const context = createTurnContext({
        ...{ turn: lastTurn.turn, mode: lastTurn.mode, log, model, tools, instructions, clock },
        toSummarizer: ports.models.fast,
      });
      const notice = (reason: string): void => emit('app.noticed', { level: 'info', reason, details: {} });
      const requests = createPaidRequests({
        // Work of its own, that no turn pays for.
        ...{ account: createTurnAccount(), spending: ports.spending, readCaps: ports.readCaps },
        onCap({ spent }) {
          notice(spent === null ? 'chat.summaryUnpriced' : 'chat.summaryCapped');
          return false;
        },
      });
      const work = async (): Promise<void> => {
        const compacted = await context.compact('asked', { signal: stop.signal, requests });
        if (compacted === 'none' && !stop.signal.aborted) notice('chat.nothingToSummarise');
      };
      occupySession(session, { phase: 'summary', stop, work, ended, emit });
    },
    async undo(id) {
      const { log, publisher } = toFree();
      if (!findCompactions(log.counted).some((used) => used.id === id)) {
        throw new AppError('E_NOT_FOUND', 'This summary is not in use.', { reason: 'chat.summaryGone' });
      }
      await sessions.claim();
      await log.append({ t: 'compaction.undone', at: clock.now(), id });
      publisher.publish();
    },
  };
}

function toNothing(): AppError {
  return new AppError('E_UNSUPPORTED', 'There is nothing to summarise yet.', { reason: 'chat.nothingToSummarise' });
}
