import { z } from 'zod';
import type { Picture } from '../../../../../shared/model/message/picture.ts';
import type { ModelToolCall } from '../../../ports/models.ts';
import type { ToolOutcome } from '../../../services.ts';
import type { TurnGuards } from '../turn-guards.ts';
import type { TurnCancellation, TurnPorts } from '../turn-ports.ts';
import { toCallWords } from './call-words.ts';
import { runCall } from './run-call.ts';

/** What the app tells the model after the calls. */
interface Notice {
  text: string;
  pictures?: readonly Picture[];
}

/** The outcome of the calls of a step. `planned`: a plan was shown. `completed` and `planned` hold the assistant's closing text, `notices` what the model is told. */
export type CallsOutcome =
  | { kind: 'continue'; notices: readonly Notice[] }
  | { kind: 'answer' }
  | { kind: 'completed'; text: string }
  | { kind: 'planned'; text: string }
  | { kind: 'guard'; reason: 'repeat' | 'junk' }
  | { kind: 'cancelled' };

const Completion = z.object({ result: z.string().min(1) });

/** Runs all calls of one step sequentially, in the model's order, also those beside a completion. A question ends the step. */
export async function runCalls(
  ports: TurnPorts,
  work: {
    step: string;
    calls: readonly ModelToolCall[];
    isCutOff: boolean;
    guards: TurnGuards;
    cancellation: TurnCancellation;
  },
): Promise<CallsOutcome> {
  const { step, calls, isCutOff, guards, cancellation } = work;
  let completed: string | undefined;
  let hasPlan = false;
  const notices: Notice[] = [];
  let ends: 'repeat' | undefined;
  for (const call of calls) {
    if (cancellation.reason()) return { kind: 'cancelled' };
    const { outcome, said } = await runCall(ports, call, {
      ...{ step, isCutOff, cancellation },
      toWords: (ran) => (ran.ok ? toCallWords(ports, toUnderstood(call, ran), ran.value) : null),
    });
    const understood = toUnderstood(call, outcome);

    if (cancellation.reason()) return { kind: 'cancelled' };
    if (said?.t === 'question') return { kind: 'answer' };
    hasPlan ||= said?.t === 'plan';
    const completion =
      call.name === 'attempt_completion' && outcome.ok ? Completion.safeParse(understood.input) : undefined;
    if (completion?.success) completed = completion.data.result;
    const guard = guards.seen(call, outcome);
    if (guard === 'warn') notices.push({ text: toRepeatNotice(call.name) });
    if (outcome.pictures) notices.push({ text: `The picture of ${call.name}:`, pictures: outcome.pictures });
    if (guard === 'repeat') ends = guard;
  }
  const junk = guards.stepEnded();
  if (hasPlan) return { kind: 'planned', text: completed ?? '' };
  if (completed !== undefined) return { kind: 'completed', text: completed };
  if (ends ?? junk) return { kind: 'guard', reason: ends ?? 'junk' };
  return { kind: 'continue', notices };
}

function toRepeatNotice(tool: string): string {
  return `You called ${tool} several times with the same arguments and got the same answer. The next time ends your turn. Change the arguments, do something else, or finish with attempt_completion.`;
}

/** Returns the call with its normalised input: models are imprecise, and the app acts upon what was understood. */
function toUnderstood(call: ModelToolCall, outcome: ToolOutcome): ModelToolCall {
  return { ...call, input: outcome.input ?? call.input };
}
