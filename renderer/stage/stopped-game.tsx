import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type StopReason, setStopped } from '../state/stage/stage-focus.ts';
import { Message } from '../ui/message.tsx';

/** The sentence and its hint. */
const WORDS = {
  focus: ['stopped', 'stoppedHint'],
  messages: ['flooded', 'floodedHint'],
  memory: ['tooLarge', 'tooLargeHint'],
} as const satisfies Record<StopReason, unknown>;

/** Says why the app stopped a game, and offers to start it again. */
export function StoppedGame({ reason }: { reason: StopReason }) {
  const { t } = useTranslation('stage');
  const [text, hint] = WORDS[reason];
  return (
    <Message tone="error" text={t(text)} hint={t(hint)}>
      <Button onClick={() => setStopped(null)}>{t('startAgain')}</Button>
    </Message>
  );
}
