import type { ChatMode } from '../../../../shared/model/chat.ts';
import type { Clock } from '../../ports/host.ts';
import type { Model, ModelMessage } from '../../ports/models.ts';
import type { ToolRunner } from '../../services.ts';
import type { PaidRequests } from '../../spending/paid-requests.ts';
import { toPaid, type UsedRequest } from '../../spending/turn-account.ts';
import { ANSWER_ROOM, createMessageProjection, toMessages } from '../prompt/to-messages.ts';
import { findBoundary, findCompactions, toBoundaryId } from '../session/events/find-boundary.ts';
import type { LogEvent, LogEventOf } from '../session/log-events.ts';
import type { SessionLog } from '../session/session-log.ts';
import { chooseBoundary } from './choose-boundary.ts';
import { createTokenEstimate, estimateTokens } from './estimate-tokens.ts';
import { learnWindow } from './learn-window.ts';
import { toPlainSummary, writeSummary } from './write-summary.ts';

/** Part of the window above which the conversation is compacted before the next request. */
const FULL = 0.7;
/** Part of the window that stays verbatim at a compaction. */
const KEPT = { full: 0.25, refused: 0.1, asked: 0 } as const;
/** Part of the window that a compaction must free at least; less is not worth the loss of the provider's cache. */
const MIN_FREED = 0.1;
/** Part of the window for the transcript from which the summary is written. */
const TRANSCRIPT = 0.5;
/** Part of the window, in characters, for all tool answers of a step: a page of `read_file` fits into a window of 64k tokens. */
const ANSWERS = 0.41;
const MIN_ROOM = 4000;
/** Bounds of counted by estimated tokens: some services count only what they have not cached, and some count nonsense. */
const MIN_SCALE = 0.5;
const MAX_SCALE = 2;

/** A summary by the app. */
const UNUSED: UsedRequest = { usage: { input: 0, cached: 0, output: 0 }, cost: 'free', guess: null };

/** `full`: before a request that would fill the window; `refused`: after one that the service refused; `asked`: by the user. */
type Cause = keyof typeof KEPT;

interface CompactOptions {
  signal: AbortSignal;
  /** Sends the request for the summary. */
  requests: PaidRequests;
  /** The service's words when it refused the last request. */
  refusal?: string | undefined;
  /** Called when the summary is asked for. */
  started?: () => void;
}

/** `none`: nothing was replaced, because there is too little or the signal was aborted. `capped`: the request for it was not sent. */
type Compacted = 'done' | 'none' | 'capped';

/** What a model receives of a conversation, within its window. */
export interface TurnContext {
  /** The messages of the next request. */
  messages(): ModelMessage[];
  /** Takes the tokens that the service counted for the request with the last `messages`; null: it did not. */
  counted(input: number | null): void;
  /** Estimate of the tokens of the next request. */
  size(): number;
  /** True when the next request would fill the window too far. */
  isFull(): boolean;
  /** Logs a summary in place of the older part of the conversation. */
  compact(cause: Cause, options: CompactOptions): Promise<Compacted>;
}

export interface TurnContextOptions {
  turn: string;
  mode: ChatMode;
  log: SessionLog;
  model: Model;
  /** Returns the model that writes summaries. A failure leaves them to `model`. */
  toSummarizer(): Promise<Model>;
  tools: Pick<ToolRunner, 'list'>;
  instructions: string;
  clock: Clock;
}

/** For all turns, because most of a request was in the one before. */
const estimate = createTokenEstimate();

export function createTurnContext(options: TurnContextOptions): TurnContext {
  const { turn, mode, log, model, toSummarizer, tools, instructions, clock } = options;
  const limit = model.limits?.window ?? Number.POSITIVE_INFINITY;
  const room = Math.max(MIN_ROOM, Math.min(ANSWER_ROOM, Math.floor(limit * ANSWERS)));
  const projection = createMessageProjection(log.counted, { room });
  /** Counted tokens for each estimated one. */
  let scale = 1;
  let asked = 0;

  /** The window of this model: the smallest that is known or that its refusals showed. */
  const toWindow = (): number => Math.min(limit, ...log.events.flatMap((event) => toRefusedWindow(event, model)));
  const told = estimateTokens(instructions);
  const toSize = (values: readonly object[]): number => values.reduce<number>((sum, value) => sum + estimate(value), 0);
  const toRequestSize = (messages: readonly ModelMessage[]): number =>
    toSize(messages) + told + toSize(tools.list(mode));

  const toNextSize = (): number => toRequestSize(projection.messages()) * scale;

  async function compact(cause: Cause, { refusal, ...options }: CompactOptions): Promise<Compacted> {
    const events = log.counted;
    const learned = refusal === undefined ? undefined : learnWindow(refusal, Math.ceil(asked * scale));
    const window = Math.min(toWindow(), learned ?? Number.POSITIVE_INFINITY);
    const bound = Number.isFinite(window) ? window : 64_000;
    const last = findCompactions(events).at(-1);
    const from = last ? findBoundary(events, last) : 0;
    const boundary = chooseBoundary(events, { from, tokens: (bound * KEPT[cause]) / scale, room });
    if (boundary === null) return 'none';
    // The summary so far, also where its event is logged after the new boundary.
    const replaced = toMessages([...events.slice(0, boundary), ...(last ? [last] : [])], { room });
    if (cause === 'full' && toSize(replaced) * scale < bound * MIN_FREED) return 'none';
    const writer = await toSummarizer().catch(() => model);
    const readable = Math.min(bound, writer.limits?.window ?? bound);
    const tokens = (readable * TRANSCRIPT) / scale;
    const written = await writeSummary(writer, replaced, { tokens, ...options });
    if (written.kind === 'capped') return 'capped';
    const paid = toPaid(written.used ?? UNUSED);
    if (options.signal.aborted) {
      if (written.used) await log.append({ t: 'request.cut', turn, at: clock.now(), ...paid });
      return 'none';
    }
    const first = events[boundary];
    const head = { t: 'compaction', turn, at: clock.now(), id: clock.id() } as const;
    const event: LogEventOf<'compaction'> = {
      ...head,
      before: first === undefined ? null : (toBoundaryId(first) ?? null),
      summary: written.text ?? toPlainSummary([...(last ? [last] : []), ...events.slice(from, boundary)]),
      tokens: 0,
      ...paid,
      ...(learned !== undefined && { refusal: { window: learned, ...(model.identity && { by: model.identity }) } }),
    };
    const left = Math.ceil(toRequestSize(toMessages([...events, event], { room })) * scale);
    await log.append({ ...event, tokens: left });
    return 'done';
  }

  return {
    messages() {
      const messages = projection.messages();
      asked = toRequestSize(messages);
      return messages;
    },
    counted(input) {
      if (input !== null && input > 0 && asked > 0) scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, input / asked));
    },
    size: toNextSize,
    isFull() {
      const window = toWindow();
      return Number.isFinite(window) && toNextSize() > window * FULL;
    },
    compact,
  };
}

/** Returns the window that an event shows for a model, if any: a refusal by another model says nothing about it. */
function toRefusedWindow(event: LogEvent, { identity }: Model): number[] {
  if (event.t !== 'compaction' || !event.refusal) return [];
  const { window, by } = event.refusal;
  return by?.provider === identity?.provider && by?.model === identity?.model ? [window] : [];
}
