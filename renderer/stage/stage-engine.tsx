import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { chooseEngine, useStage } from '../state/stage/stage-store.ts';
import classes from './stage-engine.module.css';

/** What concerns the whole stage: that another program has the game open, too, and which engine runs. Often nothing. */
export function StageEngine() {
  const { t } = useTranslation('stage');
  const isInTerre = useStage((state) => state.stage.isInTerre === true);
  return (
    <>
      {isInTerre && (
        <p className={classes.line} role="status">
          {t('inTerre')}
        </p>
      )}
      <EngineChoice />
    </>
  );
}

/** Which engine the stage runs, and the way to the other one. Renders nothing for a game without an engine of its own. */
function EngineChoice() {
  const { t } = useTranslation('stage');
  const engine = useStage((state) => state.stage.engine);
  if (!engine) return null;
  const { choice, from, own, bundled, hasFailed } = engine;
  const name = (which: string) => (from === 'terre' && which !== 'bundled' ? `terre-${which}` : which);
  const other = choice === 'own' ? 'bundled' : 'own';
  return (
    <p className={classes.line} role={hasFailed ? 'alert' : undefined}>
      <span>
        {hasFailed
          ? t(`engine.${name('failed')}`, { version: bundled })
          : t(`engine.${name(choice)}`, { version: choice === 'own' ? own : bundled })}
      </span>
      <UnstyledButton className={classes.switch} onClick={() => chooseEngine(other)}>
        {t(`engine.use-${name(other)}`, { version: other === 'own' ? own : bundled })}
      </UnstyledButton>
    </p>
  );
}
