import { delay } from '../../../../shared/async.ts';
import type { ErrorData } from '../../../../shared/errors.ts';
import { ModelProblem, toModelReason } from '../../../../shared/model/model-problem.ts';
import type { ModelEvent, ModelMessage, ModelRequest, ModelToolCall } from '../../ports/models.ts';
import { toPaid } from '../../spending/turn-account.ts';
import { withPictures } from '../prompt/with-pictures.ts';
import { type LiveStep, toStepRow } from '../session/projection/live-step.ts';
import { toRetryPause } from './retry-pause.ts';
import type { LiveTurn, TurnCancellation, TurnPorts } from './turn-ports.ts';

/** Interval at which the text of a running step is logged, for a crash in the middle of a long answer. */
const LOG_INTERVAL_MS = 2000;

export type StepOutcome =
  | { kind: 'done'; step: string; text: string; calls: ModelToolCall[]; finish: string }
  | { kind: 'failed'; error: ErrorData }
  | { kind: 'cancelled' };

type Failure = Extract<ModelEvent, { kind: 'error' }>;

function isProblem(value: string): value is ModelProblem {
  return ModelProblem.safeParse(value).success;
}

/** Converts a model failure to error data for the page. */
export function toModelError({ problem, detail }: { problem: string; detail: string }): ErrorData {
  const known = isProblem(problem) ? problem : 'badAnswer';
  return {
    code: known === 'timeout' ? 'E_TIMEOUT' : 'E_IO',
    message: `The model could not answer (${known}).`,
    details: { detail },
    recoverable: true,
    reason: toModelReason(known),
  };
}

/**
 * Streams and logs one model step. Repeats it when nothing was received and the failure may be over soon; pages show the wait, and a
 * stop ends it at once.
 */
export async function runStep(ports: TurnPorts, cancellation: TurnCancellation): Promise<StepOutcome> {
  for (let tried = 1; ; tried += 1) {
    const { again, ...outcome } = await attempt(ports, cancellation);
    const pause = again === undefined ? null : toRetryPause(again, tried, ports.limits);
    if (again === undefined || pause === null) return outcome;
    const waiting = { until: ports.clock.now() + pause, problem: again.problem };
    ports.changed({ phase: 'model', step: null, waiting });
    await delay(pause, cancellation.signal);
    if (!cancellation.reason()) continue;
    ports.changed({ phase: 'model', step: null });
    return { kind: 'cancelled' };
  }
}

/** `again`: the failure of a step that may be repeated. */
async function attempt(ports: TurnPorts, cancellation: TurnCancellation): Promise<StepOutcome & { again?: Failure }> {
  const { turn, log, clock, limits } = ports;
  const live: LiveStep = { turn, step: clock.id(), at: clock.now(), text: '', thinking: '' };
  const during: LiveTurn = { phase: 'model', step: live };
  const calls: ModelToolCall[] = [];
  let done: Extract<ModelEvent, { kind: 'done' }> | undefined;
  let failure: Failure | undefined;
  let kept = clock.now();

  /** Lengths of the parts of `live` that are logged. */
  const inLog = { text: 0, thinking: 0 };
  const keep = async () => {
    const text = live.text.slice(inLog.text);
    const thinking = live.thinking.slice(inLog.thinking);
    if (text === '' && thinking === '') return;
    Object.assign(inLog, { text: live.text.length, thinking: live.thinking.length });
    await log.append({ t: 'assistant.piece', turn, at: clock.now(), step: live.step, text, thinking });
  };

  const read = async (event: ModelEvent): Promise<boolean> => {
    if (event.kind === 'text' || event.kind === 'thinking') {
      const room = limits.answer - live.text.length - live.thinking.length;
      if (event.text.length > room) {
        failure = toEndless(limits.answer);
        return false;
      }
      live[event.kind] += event.text;
      ports.streamed(during, toStepRow(live.step, event.kind), event.text);
      if (clock.now() - kept < LOG_INTERVAL_MS) return true;
      kept = clock.now();
      await keep();
    } else if (event.kind === 'call') calls.push(event.call);
    else if (event.kind === 'done') done = event;
    else if (event.kind === 'error') failure = event;
    return true;
  };

  ports.changed(during);
  const { model, context } = ports;
  const last = log.events.findLast((event) => event.t === 'assistant')?.usage;
  const sent = await ports.requests.send(
    { model, size: context.size, last },
    () => toRequest(ports, cancellation),
    read,
  );
  if (sent.kind === 'capped') return { kind: 'cancelled' };
  const said = live.text.trim() !== '' || calls.length > 0;
  if (cancellation.reason() || !done) {
    if (said || live.thinking !== '') await keep();
    if (sent.used) await log.append({ t: 'request.cut', turn, at: clock.now(), ...toPaid(sent.used) });
    ports.changed({ phase: 'model', step: null });
  }
  if (cancellation.reason()) return { kind: 'cancelled' };
  if (!done) {
    failure ??= { kind: 'error', problem: 'cutOff', detail: 'The stream ended early.', retryable: true };
    const error = toModelError(failure);
    return { kind: 'failed', error, ...(failure.retryable && !said && { again: failure }) };
  }
  const { finish, usage } = done;
  context.counted(usage.input);
  const left = calls.splice(limits.calls);
  const messages = left.length === 0 ? done.messages : withoutCalls(done.messages, left);
  const by = model.identity && { by: model.identity };
  const step = { turn, at: clock.now(), step: live.step, ...by, messages, finish, usage };
  await log.append({ t: 'assistant', ...step, ...(sent.used && toPaid(sent.used)) });
  ports.changed({ phase: calls.length > 0 ? 'tool' : 'model', step: null });
  return { kind: 'done', step: live.step, text: live.text, calls, finish };
}

async function toRequest(ports: TurnPorts, { signal }: TurnCancellation): Promise<ModelRequest> {
  const { instructions, context, tools, mode } = ports;
  // Settings may have changed since the last call. If they cannot be read, every call is refused with the reason.
  await tools.refresh?.().catch(() => undefined);
  return { instructions, messages: await withPictures(context.messages(), ports), tools: tools.list(mode), signal };
}

function toEndless(limit: number): Failure {
  return { kind: 'error', problem: 'endless', detail: `More than ${limit} characters.`, retryable: false };
}

/** Returns the step's messages without the dropped calls and with a note to the model about them. */
function withoutCalls(messages: readonly ModelMessage[], left: readonly ModelToolCall[]): ModelMessage[] {
  const ids = new Set(left.map(({ id }) => id));
  const isLeft = (part: unknown) =>
    typeof part === 'object' &&
    part !== null &&
    'toolCallId' in part &&
    typeof part.toolCallId === 'string' &&
    ids.has(part.toolCallId);
  const kept = messages.map((message) =>
    Array.isArray(message.content) ? { ...message, content: message.content.filter((part) => !isLeft(part)) } : message,
  );
  const note = {
    type: 'text',
    text: `[${left.length} more calls of this step were NOT carried out: too many at once.]`,
  };
  const at = kept.findIndex(({ role, content }) => role === 'assistant' && Array.isArray(content));
  const first = kept[at];
  if (first && Array.isArray(first.content)) kept[at] = { ...first, content: [note, ...first.content] };
  return kept;
}
