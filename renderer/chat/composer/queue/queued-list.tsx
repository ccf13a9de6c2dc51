import { VisuallyHidden } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatPhase, QueuedMessage } from '../../../../shared/model/chat.ts';
import { useChat, writeInComposer } from '../../../state/chat/chat-store.ts';
import { isWorking } from '../../../state/chat/is-working.ts';
import { QueuedItem } from './queued-item.tsx';
import classes from './queued-list.module.css';

const NONE: readonly QueuedMessage[] = [];

/** The messages that wait until the assistant has finished, above the message field. */
export function QueuedList() {
  const { t } = useTranslation('chat');
  const queue = useChat((state) => state.chat?.queue ?? NONE);
  const phase = useChat((state) => state.chat?.phase ?? 'idle');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    writeInComposer();
  };
  return (
    <>
      <VisuallyHidden role="status">{queue.length > 0 && t('queue.count', { count: queue.length })}</VisuallyHidden>
      {queue.length > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves from any control inside
        <div className={classes.root} onKeyDown={onKeyDown}>
          <p className={classes.when}>{t(`queue.${toWhen(phase)}`)}</p>
          <ol className={classes.list} aria-label={t('queue.title')}>
            {queue.map((message) => (
              <QueuedItem key={message.id} message={message} phase={phase} />
            ))}
          </ol>
        </div>
      )}
    </>
  );
}

function toWhen(phase: ChatPhase): 'afterTurn' | 'afterAnswer' | 'held' {
  if (isWorking(phase)) return 'afterTurn';
  return phase === 'answer' ? 'afterAnswer' : 'held';
}
