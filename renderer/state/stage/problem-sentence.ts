import type { TFunction } from 'i18next';
import type { StageProblem } from '../../../shared/model/stage.ts';

/** Returns what went wrong on the stage, in a sentence in the user's language. */
export function toProblemSentence({ reason, subject }: StageProblem, t: TFunction<'stage'>): string {
  return t(toSentenceKey(reason, subject), { subject: toName(subject) });
}

/** A stuck story without an engine message has a text without a quote. */
function toSentenceKey(reason: StageProblem['reason'], subject: string) {
  if (reason === 'stuck' && subject === '') return 'problem.stuck-silent';
  if (reason === 'script-error' && subject.startsWith('pixiPerform:')) return 'problem.unknown-effect';
  return `problem.${reason}` as const;
}

/** Returns a file name as scripts write it: relative to the folder of its command. */
function toName(subject: string): string {
  return subject.replace(/^(?:game\/[^/]+\/|pixiPerform:)/, '');
}
