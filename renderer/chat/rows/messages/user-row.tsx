import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../../state/chat/chat-store.ts';
import { isWorking } from '../../../state/chat/is-working.ts';
import { SentAttachments } from '../../attachments/sent-attachments.tsx';
import classes from '../../chat-rows.module.css';
import type { ItemOf } from '../../chat-rows.ts';
import { sceneName } from '../../scene-name.ts';
import { ResendEditor } from './resend-editor.tsx';

interface UserRowProps {
  item: ItemOf<'user'>;
}

/** A message of the user, with the context that was sent. */
export function UserRow({ item }: UserRowProps) {
  const { t } = useTranslation('chat');
  const [isEditing, setEditing] = useState(false);
  const canEdit = useChat(({ chat }) => !!chat && !chat.isForeign && !chat.practice && !isWorking(chat.phase));
  const [, path, line] = /^(.+):(\d+)$/.exec(item.context ?? '') ?? [];
  const where = path ? t('composer.contextLine', { scene: sceneName(path), line }) : '';
  const notes = [item.steer ? t('queue.steered') : '', item.mode === 'plan' ? t('userMode') : '', where].filter(
    Boolean,
  );
  if (isEditing) return <ResendEditor item={item} canSend={canEdit} onClose={() => setEditing(false)} />;
  return (
    <div className={classes.user}>
      <div className={classes.said}>
        {canEdit && item.aside === undefined && (
          <Tooltip label={t('resend.edit')}>
            <ActionIcon
              className={classes.again ?? ''}
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('resend.edit')}
              onClick={() => setEditing(true)}
            >
              <IconPencil size={14} />
            </ActionIcon>
          </Tooltip>
        )}
        <div className={classes.bubble}>
          <VisuallyHidden>{t('you')}: </VisuallyHidden>
          {item.text}
        </div>
      </div>
      <SentAttachments mentions={item.mentions ?? []} pictures={item.pictures ?? []} />
      {notes.length > 0 && <span className={classes.under}>{notes.join(' · ')}</span>}
    </div>
  );
}
