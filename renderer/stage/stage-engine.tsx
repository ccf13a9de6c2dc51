import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EngineChoice, StageState } from '../../shared/model/stage.ts';
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
      <EngineLine isInTerre={isInTerre} />
    </>
  );
}

type Engine = NonNullable<StageState['engine']>;

/** Which engine the stage runs, and the way to the others. Renders nothing where the app's is the only one, as expected. */
function EngineLine({ isInTerre }: { isInTerre: boolean }) {
  const { t } = useTranslation('stage');
  const engine = useStage((state) => state.stage.engine);
  if (!engine) return null;
  const { choice, failure } = engine;
  const others = listEngines(engine, isInTerre).filter((each) => each !== choice);
  if (others.length === 0 && failure === null) return null;
  return (
    <p className={classes.line} role={failure ? 'alert' : undefined}>
      <span>
        {failure
          ? t(`engine.failed-${failure === 'ended' ? failure : toName(engine, failure)}`, { version: engine.bundled })
          : t(`engine.${toName(engine, choice)}`, { version: toVersion(engine, choice) })}
      </span>
      {others.map((other) => (
        <UnstyledButton key={other} className={classes.switch} onClick={() => chooseEngine(other)}>
          {t(`engine.use-${toChoice(engine, other)}`, { version: toVersion(engine, other) })}
        </UnstyledButton>
      ))}
    </p>
  );
}

/** Returns the engines to choose from. The one in Terre's folder is the same as that of Terre's page while Terre runs. */
function listEngines({ own }: Engine, isInTerre: boolean): EngineChoice[] {
  const hasOwn = own !== null && !(own.from === 'terre' && isInTerre);
  return [...(hasOwn ? (['own'] as const) : []), 'bundled', ...(isInTerre ? (['terre'] as const) : [])];
}

/** Returns how the texts name an engine. */
function toName({ own }: Engine, choice: EngineChoice): string {
  if (choice === 'terre') return 'terre-page';
  return choice === 'own' && own?.from === 'terre' ? 'terre-own' : choice;
}

/** As `toName`; a game's own engine of the same version may be changed, and the version does not tell it from the app's. */
function toChoice(engine: Engine, choice: EngineChoice): string {
  const name = toName(engine, choice);
  return name === 'own' && engine.own?.version === engine.bundled ? 'own-same' : name;
}

function toVersion({ own, bundled }: Engine, choice: EngineChoice): string {
  return choice === 'own' && own ? own.version : bundled;
}
