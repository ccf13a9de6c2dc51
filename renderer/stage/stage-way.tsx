import { Button, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { StageFork } from '../../shared/model/stage.ts';
import { takeWay, useStage } from '../state/stage/stage-store.ts';
import { StageRecording } from './stage-recording.tsx';
import classes from './stage-way.module.css';

/** By which way the stage came to its line, and where playing back ended early. With what is recorded above. */
export function StageWay() {
  const { t } = useTranslation('stage');
  const replay = useStage((state) => state.stage.replay);
  const forks = useStage((state) => state.stage.forks);
  return (
    <>
      <StageRecording />
      {replay && replay.state !== 'playing' && (
        <p className={classes.line} role="status">
          {t(`replay.${replay.state}`, { choice: replay.choice })}
        </p>
      )}
      {forks && forks.length > 0 && (
        <section className={classes.ways} aria-label={t('way.title')}>
          {forks.map((fork) => (
            <Way key={fork.line} fork={fork} />
          ))}
        </section>
      )}
    </>
  );
}

/** Asks which option of a menu leads to the line on the stage; the one that was chosen stays and can be changed. */
function Way({ fork: { line, options, taken, isChosen } }: { fork: StageFork }) {
  const { t } = useTranslation('stage');
  return (
    <div className={classes.way}>
      <span>{t(isChosen ? 'way.chosen' : 'way.ask', { line })}</span>
      <Select
        size="xs"
        aria-label={t('way.option', { line })}
        allowDeselect={false}
        checkIconPosition="right"
        value={String(taken)}
        data={options.map((text, at) => ({ value: String(at), label: text || t('way.unnamed', { number: at + 1 }) }))}
        onChange={(next) => next !== null && takeWay(line, Number(next))}
      />
      {!isChosen && (
        <Button variant="light" size="compact-xs" onClick={() => takeWay(line, taken)}>
          {t('way.keep')}
        </Button>
      )}
    </div>
  );
}
