import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { closeStageWindow, openStageWindow } from '../../state/stage/stage-window.ts';
import { Message } from '../../ui/message.tsx';
import classes from './stage-away.module.css';

/** Stands in the panel while the stage is in a window of its own. */
export function StageAway() {
  const { t } = useTranslation('stage');
  return (
    <div className={classes.away}>
      <Message text={t('window.away')} hint={t('window.awayHint')}>
        <Button onClick={closeStageWindow}>{t('window.back')}</Button>
        <Button variant="default" onClick={openStageWindow}>
          {t('window.show')}
        </Button>
      </Message>
    </div>
  );
}
