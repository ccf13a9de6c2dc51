import { Button, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { StageWay as Assumed, StageFork } from '../../shared/model/stage.ts';
import { toSceneName } from '../../shared/script/project-index/project-facts.ts';
import { takeWay, useStage } from '../state/stage/stage-store.ts';
import { StageRecording } from './stage-recording.tsx';
import classes from './stage-way.module.css';

/** By which way the stage came to its line, and where playing back ended early. With what is recorded above. */
export function StageWay() {
  const { t } = useTranslation('stage');
  const replay = useStage((state) => state.stage.replay);
  const forks = useStage((state) => state.stage.forks);
  const way = useStage((state) => state.stage.way);
  const scene = useStage((state) => state.stage.place?.path);
  return (
    <>
      <StageRecording />
      {replay && replay.state !== 'playing' && (
        <p className={classes.line} role="status">
          {t(`replay.${replay.state}`, { choice: replay.choice })}
        </p>
      )}
      {way && <AssumedWay way={way} scene={scene} />}
      {forks && forks.length > 0 && (
        <section aria-label={t('way.title')}>
          {forks.map((fork) => (
            <Way key={`${fork.path} ${fork.line}`} fork={fork} isHere={fork.path === scene} />
          ))}
        </section>
      )}
    </>
  );
}

/** Says in a sentence what was assumed to come to the line, and in another why no way leads there. */
function AssumedWay({ way: { values, failure }, scene }: { way: Assumed; scene: string | undefined }) {
  const { t, i18n } = useTranslation('stage');
  // Narrow: without a word for “and”, which Chinese writes without a space, also before Latin names.
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction', style: 'narrow' });
  const named = values.map(({ path, value, ...place }) =>
    t(path === scene ? 'way.value' : 'way.value-in', { ...place, value: String(value), scene: toSceneName(path) }),
  );
  const isElsewhere = failure?.reason === 'line' && failure.path !== scene;
  return (
    <p className={classes.line} role="status">
      {named.length > 0 && <span>{t('way.assumed', { values: list.format(named) })}</span>}
      {failure && (
        <span>
          {t(isElsewhere ? 'way.failure.line-in' : `way.failure.${failure.reason}`, {
            ...{ line: failure.line, condition: failure.condition, scene: toSceneName(failure.path) },
          })}
        </span>
      )}
    </p>
  );
}

/** Asks by which way the story comes to the line on the stage; the one that was chosen stays and can be changed. */
function Way({ fork: { path, line, options, taken, isChosen }, isHere }: { fork: StageFork; isHere: boolean }) {
  const { t } = useTranslation('stage');
  const isScene = line === 0;
  const question = isScene
    ? t(isChosen ? 'way.chosen-scene' : 'way.ask-scene')
    : t(isChosen ? 'way.chosen' : 'way.ask', { line });
  const label = isScene ? t('way.option-scene') : t('way.option', { line });
  const inScene = (text: string) => (isHere ? text : t('way.in-scene', { question: text, scene: toSceneName(path) }));
  const toLabel = (text: string, at: number) =>
    isScene ? toSceneName(text) : text || t('way.unnamed', { number: at + 1 });
  return (
    <div className={classes.way}>
      <span>{inScene(question)}</span>
      <Select
        size="xs"
        aria-label={inScene(label)}
        allowDeselect={false}
        checkIconPosition="right"
        value={String(taken)}
        data={options.map((text, at) => ({ value: String(at), label: toLabel(text, at) }))}
        onChange={(next) => next !== null && takeWay({ path, line, option: Number(next) })}
      />
      {!isChosen && (
        <Button variant="light" size="compact-xs" onClick={() => takeWay({ path, line, option: taken })}>
          {t('way.keep')}
        </Button>
      )}
    </div>
  );
}
