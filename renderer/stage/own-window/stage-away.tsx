import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useStageFocus } from '../../state/stage/stage-focus.ts';
import { closeStageWindow, openStageWindow } from '../../state/stage/stage-window.ts';
import { Message } from '../../ui/message.tsx';
import { StoppedGame } from '../stopped-game.tsx';
import classes from './stage-away.module.css';

/** Stands in the panel while the stage is in a window of its own. That window may be covered, so this says too why a game was stopped. */
export function StageAway() {
  const { t } = useTranslation('stage');
  const stoppedFor = useStageFocus((state) => state.stoppedFor);
  return (
    <div className={classes.away}>
      {stoppedFor && <StoppedGame reason={stoppedFor} />}
      <Message text={t('window.away')} hint={t('window.awayHint')}>
        <Button onClick={closeStageWindow}>{t('window.back')}</Button>
        <Button variant="default" onClick={openStageWindow}>
          {t('window.show')}
        </Button>
      </Message>
    </div>
  );
}
