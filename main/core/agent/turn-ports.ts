import type { ChatMode } from '../../../shared/model/chat.ts';
import type { ProposalDesk, ToolRunner } from '../areas.ts';
import type { Clock, Model } from '../ports.ts';
import type { Consents } from './ask-consent.ts';
import type { SessionLog } from './session-log.ts';
import type { LiveStep } from './to-chat-items.ts';
import type { TurnLimits } from './turn-guards.ts';

/** What is going on in a turn and stands in no log. */
export interface LiveTurn {
  phase: 'model' | 'tool' | 'consent';
  step: LiveStep | null;
}

export interface TurnPorts {
  turn: string;
  mode: ChatMode;
  log: SessionLog;
  model: Model;
  tools: ToolRunner;
  desk: ProposalDesk;
  clock: Clock;
  instructions: string;
  limits: TurnLimits;
  consents: Consents;
  /** The log or the phase is new. */
  changed(live: LiveTurn): void;
  /** Text was added to a row. */
  streamed(live: LiveTurn, row: string, text: string): void;
}

/** Why a turn was cut short, or null while it may go on. */
export interface Cut {
  signal: AbortSignal;
  reason(): 'stopped' | 'time' | null;
  /** Stops the turn's clock while somebody is waited for; the function that comes back sets it going again. */
  hold(): () => void;
}
