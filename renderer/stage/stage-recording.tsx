import { Button } from '@mantine/core';
import { IconPlayerRecordFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useStage } from '../state/stage/stage-store.ts';
import { saveRoute, setRecording } from '../workflows/stage/story-tests.ts';
import classes from './stage-way.module.css';

/** What is recorded so far while the user records a route, and what was until the stage was sent elsewhere. Renders nothing otherwise. */
export function StageRecording() {
  const { t } = useTranslation('stage');
  const current = useStage((state) => state.stage.route);
  const ended = useStage((state) => state.stage.endedRoute);
  const route = current?.isRecording ? current : ended;
  if (!route) return null;
  const { steps, isOver } = route;
  const choices = steps.filter(({ kind }) => kind === 'choice').length;
  const counts = t('record.counts', { choices, answers: steps.length - choices });
  const said = route.isRecording ? (isOver ? 'over' : 'on') : 'ended';
  return (
    <section className={classes.way} aria-label={t('record.title')}>
      {route.isRecording && <IconPlayerRecordFilled size={12} className={classes.recording} aria-hidden />}
      <span role="status">{t(`record.${said}`, { counts })}</span>
      <Button size="compact-xs" onClick={() => saveRoute(route)}>
        {t('record.save')}
      </Button>
      <Button variant="default" size="compact-xs" onClick={() => setRecording(false)}>
        {t(route.isRecording ? 'record.stop' : 'record.dismiss')}
      </Button>
    </section>
  );
}
