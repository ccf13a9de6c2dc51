import { Button } from '@mantine/core';
import { IconPlayerRecordFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useStage } from '../state/stage/stage-store.ts';
import { saveRoute, setRecording } from '../workflows/stage/story-tests.ts';
import classes from './stage-way.module.css';

/** What is recorded so far, while the user records a route. Renders nothing otherwise. */
export function StageRecording() {
  const { t } = useTranslation('stage');
  const route = useStage((state) => state.stage.route);
  if (!route?.isRecording) return null;
  const { steps, isOver } = route;
  const choices = steps.filter(({ kind }) => kind === 'choice').length;
  const counts = t('record.counts', { choices, answers: steps.length - choices });
  return (
    <section className={classes.way} aria-label={t('record.title')}>
      <IconPlayerRecordFilled size={12} className={classes.recording} aria-hidden />
      <span role="status">{t(isOver ? 'record.over' : 'record.on', { counts })}</span>
      <Button size="compact-xs" onClick={saveRoute}>
        {t('record.save')}
      </Button>
      <Button variant="default" size="compact-xs" onClick={() => setRecording(false)}>
        {t('record.stop')}
      </Button>
    </section>
  );
}
