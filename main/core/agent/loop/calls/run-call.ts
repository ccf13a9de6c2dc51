import { delay, withAbort } from '../../../../../shared/async.ts';
import type { ModelToolCall } from '../../../ports/models.ts';
import type { ToolOutcome } from '../../../services.ts';
import type { LogEvent } from '../../session/log-events.ts';
import { toSeenTexts } from '../../session/seen-texts.ts';
import { createConsentCard } from '../ask-consent.ts';
import type { TurnCancellation, TurnPorts } from '../turn-ports.ts';

const CUT_OFF_HINT =
  'Your answer reached its greatest length, so the call was cut off and nothing was done. Write in parts: write_to_file with the first part, then again with mode "append" for each following part.';

interface CallWork {
  step: string;
  /** The answer of the model that holds the call was cut off. */
  isCutOff: boolean;
  cancellation: TurnCancellation;
  /** Returns what is logged together with the result. */
  toWords?(outcome: ToolOutcome): LogEvent | null;
}

/** Runs one call and logs it before and after. `said` is what `toWords` returned. */
export async function runCall(
  ports: TurnPorts,
  call: ModelToolCall,
  { step, isCutOff, cancellation, toWords }: CallWork,
): Promise<{ outcome: ToolOutcome; said: LogEvent | null }> {
  const { turn, log, clock } = ports;
  const { summary, paths } = ports.tools.describe(call.name, call.input);
  await log.append({ t: 'tool.call', turn, at: clock.now(), step, call: call.id, name: call.name, summary, paths });
  ports.changed({ phase: 'tool', step: null });

  const outcome =
    call.invalid === undefined
      ? await perform(ports, call, { step, cancellation })
      : toInvalid(call.invalid, isCutOff ? CUT_OFF_HINT : undefined);
  const said = toWords?.(outcome) ?? null;
  await log.append(
    {
      ...{ t: 'tool.result', turn, at: clock.now(), step, call: call.id, name: call.name, ok: outcome.ok },
      ...(outcome.value !== undefined && { value: outcome.value }),
      ...(outcome.error && { error: outcome.error }),
      ...(outcome.assets && { assets: [...outcome.assets] }),
      ...(outcome.seen && { seen: outcome.seen }),
      ...(outcome.spent && { spent: outcome.spent }),
    },
    ...(said ? [said] : []),
  );
  ports.changed({ phase: 'tool', step: null });
  return { outcome, said };
}

function toInvalid(
  message: string,
  hint = 'Nothing was done. Send the call again with complete, valid arguments.',
): ToolOutcome {
  return { ok: false, milliseconds: 0, error: { code: 'E_BAD_ARGS', message, hint, recoverable: true } };
}

function perform(
  ports: TurnPorts,
  call: ModelToolCall,
  { step, cancellation }: { step: string; cancellation: TurnCancellation },
): Promise<ToolOutcome> {
  const { turn, mode } = ports;
  const running = ports.tools.run({
    id: call.id,
    name: call.name,
    input: call.input,
    mode,
    trace: turn,
    account: ports.account,
    seen: toSeenTexts(ports.log.counted),
    async report(text) {
      // A call that outlived a stop must not add to an ended turn.
      if (cancellation.reason()) return;
      await ports.log.append({ t: 'tool.progress', turn, at: ports.clock.now(), step, call: call.id, text });
      ports.changed({ phase: 'tool', step: null });
    },
    confirm: createConsentCard(ports, { step, call: call.id, cancellation }),
    signal: cancellation.signal,
  });
  return orGiveUp(running, ports.limits.stopGrace, cancellation.signal);
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
