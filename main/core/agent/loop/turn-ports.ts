import type { ChatMode, ConsentAnswer, RetryWait } from '../../../../shared/model/chat.ts';
import type { Declaration } from '../../../../shared/model/external/declaration.ts';
import type { Clock } from '../../ports/host.ts';
import type { Model } from '../../ports/models.ts';
import type { Pictures } from '../../ports/stores/pictures.ts';
import type { ProposalService, ToolRunner } from '../../services.ts';
import type { PaidRequests } from '../../spending/paid-requests.ts';
import type { TurnAccount } from '../../spending/turn-account.ts';
import type { ChatPorts } from '../chat-ports.ts';
import type { TurnContext } from '../context/turn-context.ts';
import type { LiveStep } from '../session/projection/live-step.ts';
import type { SessionLog } from '../session/session-log.ts';
import type { TurnLimits } from './turn-guards.ts';

/** The state of a running turn that is not logged. */
export interface LiveTurn {
  phase: 'model' | 'summary' | 'tool' | 'consent';
  step: LiveStep | null;
  /** Set while a failed step waits to be repeated. */
  waiting?: RetryWait;
}

/** Asks the user for consent during a turn. */
export interface Consents {
  /** Resolves with the user's answer to the card `id`; rejects when `signal` aborts first. */
  wait(id: string, signal: AbortSignal): Promise<ConsentAnswer>;
  /** Stores that every later call of a tool is allowed, as it was declared in the question. */
  allowAlways(tool: string, declaration?: Declaration): Promise<void>;
}

export interface TurnPorts extends Pick<ChatPorts, 'spending' | 'readCaps' | 'plans' | 'notePicturesRefused'> {
  account: TurnAccount;
  /** Every request of the turn's own steps and summaries. */
  requests: PaidRequests;
  turn: string;
  mode: ChatMode;
  log: SessionLog;
  model: Model;
  pictures: Pick<Pictures, 'read'>;
  tools: ToolRunner;
  proposals: ProposalService;
  clock: Clock;
  instructions: string;
  context: TurnContext;
  limits: TurnLimits;
  consents: Consents;
  /** Logs the messages that the user sends into this turn. Returns true if there were any. */
  steer(): Promise<boolean>;
  /** Logs as part of this turn what happened to the files that the conversation knows. */
  noticeDisk(): Promise<unknown>;
  /** Called after a change of the log or the phase. */
  changed(live: LiveTurn): void;
  /** Called after text was appended to a row. */
  streamed(live: LiveTurn, row: string, text: string): void;
}

/** Cancels a turn with a reason, which is null while the turn may continue. */
export interface TurnCancellation {
  signal: AbortSignal;
  reason(): 'stopped' | 'time' | null;
  /** Pauses the time limit while the user is asked; the returned function resumes it. */
  hold(): () => void;
  /** Starts the time limit anew, for the next step of a plan. */
  renew(): void;
}

/** What a turn has before it is prepared and its time limit runs. */
export type TurnBase = Omit<TurnPorts, 'instructions' | 'context' | 'requests'>;
