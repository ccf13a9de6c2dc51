import { toolText } from '../../../../shared/i18n/tools.ts';
import { toQuoted } from '../../../../shared/text/shown-text.ts';
import type { Skills, WaitingSkill } from '../../skills/skills.ts';
import { createConsentCard } from './ask-consent.ts';
import type { TurnBase, TurnCancellation } from './turn-ports.ts';

/** Names in the question; the texts below it show all. */
const MAX_NAMES = 5;

/**
 * Asks the user about skills that came with the game, before the first request of a turn can mention them. A stop, or a failure to
 * store the answer, leaves them out of this turn. Returns true when skills were added.
 */
export async function askSkills(
  ports: Pick<TurnBase, 'turn' | 'log' | 'clock' | 'consents' | 'changed'>,
  { waiting, decide }: Pick<Skills, 'decide'> & { waiting: readonly WaitingSkill[] },
  cancellation: Pick<TurnCancellation, 'signal' | 'hold'>,
): Promise<boolean> {
  const { signal } = cancellation;
  if (waiting.length === 0 || signal.aborted) return false;
  const confirm = createConsentCard(ports, { step: 'skills', call: 'skills', cancellation });
  const names = waiting.slice(0, MAX_NAMES).map(({ name }) => toQuoted(name));
  const more = waiting.length > MAX_NAMES ? ' …' : '';
  const answered = await confirm({
    tool: 'read_skill',
    title: toolText('read_skill.title'),
    summary: toolText('read_skill.ask', { names: `${names.join(' ')}${more}` }),
    scope: { why: 'skills', paths: [], canAlways: false },
    detail: waiting.map(({ file, text }) => `${file}\n${'─'.repeat(12)}\n${text.trim()}`).join('\n\n'),
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (answered === null) return false;
  try {
    await decide(waiting, answered);
  } catch {
    return false;
  }
  return answered;
}
