import type { ConsentAnswer } from '../../../../shared/model/chat.ts';
import type { DeclarationPart } from '../../../../shared/model/external/declaration.ts';
import type { Confirm, ConfirmQuestion } from '../../capability/runner/confirm.ts';
import type { TurnCancellation, TurnPorts } from './turn-ports.ts';

/** `scope.why`: the key of the reason, `chat:consent.why.<why>`. */
type CardQuestion = Omit<ConfirmQuestion, 'scope'> & {
  scope: { why: string; paths: readonly string[]; canAlways: boolean; changed?: readonly DeclarationPart[] };
};

/**
 * Asks the user about one call through a card in the chat. The wait does not count against the turn's time limit. The
 * question is logged before it is shown, the answer before the call runs.
 */
export function createConsentCard(
  ports: Pick<TurnPorts, 'turn' | 'log' | 'clock' | 'consents' | 'changed'>,
  { step, call, cancellation }: { step: string; call: string; cancellation: Pick<TurnCancellation, 'hold'> },
): (question: CardQuestion) => ReturnType<Confirm> {
  const { turn, log, clock, consents } = ports;
  return async ({ tool, title, summary, scope, detail, change, declaration, claims, signal }) => {
    const id = clock.id();
    const { why, paths, canAlways, changed } = scope;
    await log.append({
      t: 'consent.ask',
      ...{ turn, at: clock.now(), id, step, call, tool, title, summary, why, paths: [...paths], canAlways },
      ...(detail !== undefined && { detail }),
      ...(change !== undefined && { change }),
      ...(claims !== undefined && { claims: [...claims] }),
      ...(changed !== undefined && { changed: [...changed] }),
    });
    const answered = consents.wait(id, signal);
    const release = cancellation.hold();
    ports.changed({ phase: 'consent', step: null });
    let answer: ConsentAnswer;
    try {
      answer = await answered;
    } finally {
      release();
    }
    await log.append({ t: 'consent.answer', turn, at: clock.now(), id, answer });
    ports.changed({ phase: 'tool', step: null });
    if (answer === 'always') await consents.allowAlways(tool, declaration);
    return answer !== 'no';
  };
}
