import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowUp, IconPencil, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatPhase, QueuedMessage } from '../../../../shared/model/chat.ts';
import { writeInComposer } from '../../../state/chat/chat-store.ts';
import { isWorking } from '../../../state/chat/is-working.ts';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { SentAttachments } from '../../attachments/sent-attachments.tsx';
import { removeQueued, sendQueued } from '../../chat-actions.ts';
import { QueuedEditor } from './queued-editor.tsx';
import classes from './queued-list.module.css';

/** Characters of a message in the names of its buttons. */
const MAX_NAME = 40;

interface QueuedItemProps {
  message: QueuedMessage;
  phase: ChatPhase;
}

/** One waiting message with what can be done with it. */
export function QueuedItem({ message, phase }: QueuedItemProps) {
  const { t } = useTranslation('chat');
  const [isEditing, setEditing] = useState(false);
  const [isBusy, run] = useBusy();
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  const { id, text, steers } = message;
  useEffect(() => {
    if (wasEditing.current && !isEditing) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (isEditing) return <QueuedEditor message={message} onClose={() => setEditing(false)} />;
  const nameOf = (action: string) => t('queue.name', { action, text: text.slice(0, MAX_NAME).toWellFormed() });
  const isRunning = isWorking(phase);
  // The buttons disappear with the message: the focus goes to the message field.
  const act = (work: (id: string) => Promise<boolean>) => run(async () => void ((await work(id)) && writeInComposer()));
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <p className={classes.text}>{text}</p>
        <SentAttachments
          mentions={message.mentions ?? []}
          pictures={(message.pictures ?? []).map((id) => ({ id }))}
          isSmall
        />
        {steers && <p className={classes.mark}>{t('queue.steers')}</p>}
      </div>
      {!steers && phase !== 'answer' && (
        <Tooltip label={isRunning ? <SendNowHint /> : t('queue.send')} multiline maw={240}>
          <ActionIcon
            color="iris"
            size="sm"
            disabled={isBusy}
            aria-label={nameOf(t(isRunning ? 'queue.now' : 'queue.send'))}
            onClick={() => act(sendQueued)}
          >
            <IconArrowUp size={15} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label={t('queue.edit')}>
        <ActionIcon
          ref={edit}
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={nameOf(t('queue.edit'))}
          onClick={() => setEditing(true)}
        >
          <IconPencil size={14} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('queue.remove')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          disabled={isBusy}
          aria-label={nameOf(t('queue.remove'))}
          onClick={() => act(removeQueued)}
        >
          <IconX size={14} />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

function SendNowHint() {
  const { t } = useTranslation('chat');
  return (
    <>
      <strong>{t('queue.now')}</strong>
      <br />
      {t('queue.nowHint')}
    </>
  );
}
