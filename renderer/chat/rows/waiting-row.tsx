import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RetryWait } from '../../../shared/model/chat.ts';
import { stopAssistant } from '../chat-actions.ts';
import classes from '../chat-rows.module.css';
import { toWaitingText } from './waiting-text.ts';

interface WaitingRowProps {
  waiting: RetryWait;
}

/** Counts down to the next attempt at a busy service. */
export function WaitingRow({ waiting }: WaitingRowProps) {
  const { t } = useTranslation('chat');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={classes.tool} data-state="running" data-testid="waiting">
      <Loader size={16} type="dots" color="gray" aria-hidden />
      <p className={classes.thought}>{toWaitingText(waiting, now, t)}</p>
      <Button variant="subtle" size="compact-xs" onClick={() => void stopAssistant()}>
        {t('composer.stop')}
      </Button>
    </div>
  );
}
