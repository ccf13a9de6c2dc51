import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { StageProblem } from '../../shared/model/stage.ts';
import { toSceneName } from '../../shared/script/project-index/project-facts.ts';
import { toProblemSentence } from '../state/stage/problem-sentence.ts';
import { useStage } from '../state/stage/stage-store.ts';
import classes from './stage-problems.module.css';

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
      <ul className={classes.list}>
        {problems.map((problem) => (
          <li key={problem.id} className={classes.row}>
            <IconAlertTriangleFilled size={14} className={classes.icon} aria-hidden />
            <span className={classes.text}>
              {toProblemSentence(problem, t)}{' '}
              {problem.place && <PlaceLink place={problem.place} shown={shown} onOpenPlace={onOpenPlace} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PlaceLinkProps extends StageProblemsProps {
  place: NonNullable<StageProblem['place']>;
  /** The scene that the stage plays: its name is left out. */
  shown: string | null;
}

function PlaceLink({ place: { path, line }, shown, onOpenPlace }: PlaceLinkProps) {
  const { t } = useTranslation('stage');
  return (
    <UnstyledButton className={classes.place} onClick={() => onOpenPlace(path, line)}>
      {path === shown ? t('line', { line }) : t('sceneLine', { scene: toSceneName(path), line })}
    </UnstyledButton>
  );
}
