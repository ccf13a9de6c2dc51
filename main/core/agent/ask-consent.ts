import type { ConsentAnswer } from '../../../shared/model/chat.ts';
import type { Confirm } from '../capability/run-tool.ts';
import type { Cut, TurnPorts } from './turn-ports.ts';

/** How a running turn reaches the writer. */
export interface Consents {
  /** Resolves with her word on the card `id`; rejects when `signal` fires first. */
  wait(id: string, signal: AbortSignal): Promise<ConsentAnswer>;
  /** Keeps her word for every later call of a tool. */
  allowAlways(tool: string): Promise<void>;
}

/**
 * Asks the writer about one call: a card in the chat that waits for as long as she likes, for the turn's time does not
 * pass meanwhile. The question is in the log before she is asked, her word before the call runs.
 */
export function createConsentCard(
  ports: TurnPorts,
  { step, call, cut }: { step: string; call: string; cut: Cut },
): Confirm {
  const { turn, log, clock, consents } = ports;
  return async ({ tool, title, summary, scope, detail, change, signal }) => {
    const id = clock.id();
    const { why, paths, canAlways } = scope;
    await log.append({
      t: 'consent.ask',
      ...{ turn, at: clock.now(), id, step, call, tool, title, summary, why, paths: [...paths], canAlways },
      ...(detail !== undefined && { detail }),
      ...(change !== undefined && { change }),
    });
    const answered = consents.wait(id, signal);
    const release = cut.hold();
    ports.changed({ phase: 'consent', step: null });
    let answer: ConsentAnswer;
    try {
      answer = await answered;
    } finally {
      release();
    }
    await log.append({ t: 'consent.answer', turn, at: clock.now(), id, answer });
    ports.changed({ phase: 'tool', step: null });
    if (answer === 'always') await consents.allowAlways(tool);
    return answer !== 'no';
  };
}
