import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type StopReason, setStopped } from '../state/stage/stage-focus.ts';
import { Message } from '../ui/message.tsx';

/** Says why the app stopped a game, and offers to start it again. */
export function StoppedGame({ reason }: { reason: StopReason }) {
  const { t } = useTranslation('stage');
  const isFlood = reason === 'messages';
  return (
    <Message tone="error" text={t(isFlood ? 'flooded' : 'stopped')} hint={t(isFlood ? 'floodedHint' : 'stoppedHint')}>
      <Button onClick={() => setStopped(null)}>{t('startAgain')}</Button>
    </Message>
  );
}
