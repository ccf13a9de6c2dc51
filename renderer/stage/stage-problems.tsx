import { ScrollArea, UnstyledButton } from '@mantine/core';
import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { StageProblem } from '../../shared/model/stage.ts';
import { useStage } from '../state/stage/stage-store.ts';
import classes from './stage-problems.module.css';
import { toSceneName } from './to-scene-name.ts';

interface StageProblemsProps {
  onOpenPlace: (path: string, line: number) => void;
}

/** Problems that the engine reported, with links to the lines. Renders nothing without problems. */
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

/** Returns the i18n key of a problem. A stuck story without an engine message uses a text without a quote. */
function toSentenceKey(reason: StageProblem['reason'], subject: string): string {
  if (reason === 'stuck' && subject === '') return 'problem.stuck-silent';
  if (reason === 'script-error' && subject.startsWith('pixiPerform:')) return 'problem.unknown-effect';
  return `problem.${reason}`;
}

/** Returns a file name as scripts write it: relative to the folder of its command. */
function toName(subject: string): string {
  return subject.replace(/^(?:game\/[^/]+\/|pixiPerform:)/, '');
}
