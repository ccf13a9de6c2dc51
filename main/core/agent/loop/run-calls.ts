import { z } from 'zod';
import { delay, withAbort } from '../../../../shared/async.ts';
import type { ModelToolCall } from '../../ports/models.ts';
import type { ToolOutcome } from '../../services.ts';
import type { LogEvent } from '../session/log-events.ts';
import { toSeenTexts } from '../session/seen-texts.ts';
import { createConsentCard } from './ask-consent.ts';
import type { TurnGuards } from './turn-guards.ts';
import type { TurnCancellation, TurnPorts } from './turn-ports.ts';

/** The outcome of the calls of a step. `completed` holds the assistant's closing text, `notice` what the model is told. */
export type CallsOutcome =
  | { kind: 'continue'; notice?: string }
  | { kind: 'answer' }
  | { kind: 'completed'; text: string }
  | { kind: 'guard'; reason: 'repeat' | 'junk' }
  | { kind: 'cut' };

const Display = z.object({
  content: z.string(),
  level: z.enum(['info', 'success', 'warning', 'error', 'progress']).default('info'),
  title: z.string().optional(),
});
const Question = z.object({
  question: z.string().min(1),
  options: z.array(z.string()).optional().catch(undefined),
  multiple: z.boolean().default(false).catch(false),
});
const Todo = z.object({
  items: z.array(z.object({ text: z.string(), state: z.enum(['pending', 'active', 'done']) })),
});
const Completion = z.object({ result: z.string().min(1) });

const CUT_OFF_HINT =
  'Your answer reached its greatest length, so the call was cut off and nothing was done. Write in parts: write_to_file with the first part, then again with mode "append" for each following part.';

/** Runs all calls of one step sequentially, in the model's order, also those beside a completion. A question ends the step. */
export async function runCalls(
  ports: TurnPorts,
  work: { step: string; calls: readonly ModelToolCall[]; isCutOff: boolean; guards: TurnGuards; cut: TurnCancellation },
): Promise<CallsOutcome> {
  const { turn, log, clock } = ports;
  const { step, calls, isCutOff, guards, cut } = work;
  let completed: string | undefined;
  let notice: string | undefined;
  let ends: 'repeat' | undefined;
  for (const call of calls) {
    if (cut.reason()) return { kind: 'cut' };
    const { summary, paths } = ports.tools.describe(call.name, call.input);
    await log.append({ t: 'tool.call', turn, at: clock.now(), step, call: call.id, name: call.name, summary, paths });
    ports.changed({ phase: 'tool', step: null });

    const outcome = await runCall(ports, call, { step, isCutOff, cut });
    // The runner normalises imprecise input; the normalised input is logged.
    const understood = { ...call, input: outcome.input ?? call.input };
    const said = outcome.ok ? toWords(ports, understood) : null;
    await log.append(
      {
        t: 'tool.result',
        turn,
        at: clock.now(),
        step,
        call: call.id,
        name: call.name,
        ok: outcome.ok,
        ...(outcome.value !== undefined && { value: outcome.value }),
        ...(outcome.error && { error: outcome.error }),
        ...(outcome.seen && { seen: outcome.seen }),
        ...(outcome.spent && { spent: outcome.spent }),
      },
      ...(said ? [said] : []),
    );
    ports.changed({ phase: 'tool', step: null });

    if (cut.reason()) return { kind: 'cut' };
    if (said?.t === 'question') return { kind: 'answer' };
    const completion =
      call.name === 'attempt_completion' && outcome.ok ? Completion.safeParse(understood.input) : undefined;
    if (completion?.success) completed = completion.data.result;
    const guard = guards.seen(call, outcome);
    if (guard === 'warn') notice = toRepeatNotice(call.name);
    if (guard === 'repeat') ends = guard;
  }
  const junk = guards.stepEnded();
  if (completed !== undefined) return { kind: 'completed', text: completed };
  if (ends ?? junk) return { kind: 'guard', reason: ends ?? 'junk' };
  return { kind: 'continue', ...(notice !== undefined && { notice }) };
}

function toRepeatNotice(tool: string): string {
  return `You called ${tool} several times with the same arguments and got the same answer. The next time ends your turn. Change the arguments, do something else, or finish with attempt_completion.`;
}

function toWords(
  { turn, clock }: TurnPorts,
  call: ModelToolCall,
): Extract<LogEvent, { t: 'note' | 'question' | 'todo' }> | null {
  const head = { turn, at: clock.now(), id: clock.id() };
  if (call.name === 'display') {
    const shown = Display.safeParse(call.input);
    if (!shown.success) return null;
    const { level, title, content } = shown.data;
    return { t: 'note', ...head, level, ...(title !== undefined && { title }), text: content };
  }
  if (call.name === 'update_todo_list') {
    const list = Todo.safeParse(call.input);
    if (!list.success) return null;
    const items = list.data.items.map(
      ({ text, state }) => ({ text, state: state === 'pending' ? 'waiting' : state }) as const,
    );
    return { t: 'todo', turn, at: head.at, items };
  }
  if (call.name === 'ask_followup_question') {
    const asked = Question.safeParse(call.input);
    if (!asked.success) return null;
    const { question, options = [], multiple } = asked.data;
    if (options.length === 0) return { t: 'question', ...head, text: question };
    return { t: 'question', ...head, text: question, options, ...(multiple && { multiple }) };
  }
  return null;
}

async function runCall(
  ports: TurnPorts,
  call: ModelToolCall,
  { step, isCutOff, cut }: { step: string; isCutOff: boolean; cut: TurnCancellation },
): Promise<ToolOutcome> {
  if (call.invalid !== undefined) {
    return {
      ok: false,
      milliseconds: 0,
      error: {
        code: 'E_BAD_ARGS',
        message: call.invalid,
        hint: isCutOff ? CUT_OFF_HINT : 'Nothing was done. Send the call again with complete, valid arguments.',
        recoverable: true,
      },
    };
  }
  const { turn, mode } = ports;
  const running = ports.tools.run({
    id: call.id,
    name: call.name,
    input: call.input,
    mode,
    trace: turn,
    seen: toSeenTexts(ports.log.counted),
    async report(text) {
      // A call that outlived a stop must not add to an ended turn.
      if (cut.reason()) return;
      await ports.log.append({ t: 'tool.progress', turn, at: ports.clock.now(), step, call: call.id, text });
      ports.changed({ phase: 'tool', step: null });
    },
    confirm: createConsentCard(ports, { step, call: call.id, cut }),
    signal: cut.signal,
  });
  return orGiveUp(running, ports.limits.stopGrace, cut.signal);
}

/** Waits for a call, but at most `grace` ms after a stop, for tools that ignore the signal. */
async function orGiveUp(running: Promise<ToolOutcome>, grace: number, signal: AbortSignal): Promise<ToolOutcome> {
  const ended = new AbortController();
  try {
    return await withAbort(running, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    const late = delay(grace, ended.signal).then(() => unknownOutcome(grace));
    return await Promise.race([running, late]);
  } finally {
    ended.abort();
  }
}

function unknownOutcome(milliseconds: number): ToolOutcome {
  const message = 'Stopped before it had finished; its outcome is unknown.';
  return { ok: false, milliseconds, error: { code: 'E_TIMEOUT', message, recoverable: true } };
}
