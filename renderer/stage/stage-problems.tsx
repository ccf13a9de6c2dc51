import { ScrollArea, UnstyledButton } from '@mantine/core';
import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { StageProblem } from '../../shared/model/stage.ts';
import classes from './stage-problems.module.css';
import { useStage } from './stage-store.ts';
import { toSceneName } from './to-scene-name.ts';

interface StageProblemsProps {
  onOpenPlace: (path: string, line: number) => void;
}

/** What the engine could not find or do, as sentences, with the way to the line. Nothing while all is well. */
export function StageProblems({ onOpenPlace }: StageProblemsProps) {
  const { t } = useTranslation('stage');
  const problems = useStage((state) => state.stage.problems);
  const shown = useStage((state) => state.stage.place?.path ?? null);
  return (
    <section className={classes.panel} aria-label={t('problems')} aria-live="polite" hidden={problems.length === 0}>
      <ScrollArea.Autosize mah={132} type="auto">
        <ul className={classes.list}>
          {problems.map(({ id, reason, subject, place }) => (
            <li key={id} className={classes.row}>
              <IconAlertTriangleFilled size={14} className={classes.icon} aria-hidden />
              <span className={classes.text}>
                {t(toSentenceKey(reason, subject), { subject: toName(subject) })}{' '}
                {place && (
                  <UnstyledButton className={classes.place} onClick={() => onOpenPlace(place.path, place.line)}>
                    {place.path === shown
                      ? t('line', { line: place.line })
                      : t('sceneLine', { scene: toSceneName(place.path), line: place.line })}
                  </UnstyledButton>
                )}
              </span>
            </li>
          ))}
        </ul>
      </ScrollArea.Autosize>
    </section>
  );
}

/** `problem.<reason>`; a story that is stuck without a word of the engine's has nothing to quote. */
function toSentenceKey(reason: StageProblem['reason'], subject: string): string {
  if (reason === 'stuck' && subject === '') return 'problem.stuck-silent';
  if (reason === 'script-error' && subject.startsWith('pixiPerform:')) return 'problem.unknown-effect';
  return `problem.${reason}`;
}

/** A file as scripts name it: below the folder its command looks in. */
function toName(subject: string): string {
  return subject.replace(/^(?:game\/[^/]+\/|pixiPerform:)/, '');
}
