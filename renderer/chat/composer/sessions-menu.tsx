import { ActionIcon, Tooltip } from '@mantine/core';
import { IconMessages, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createSession } from '../chat-actions.ts';
import { ConversationsDialog } from '../conversations/conversations-dialog.tsx';
import { SavedPlansMenu } from '../plan/saved/saved-plans-menu.tsx';

/** Buttons for the list of conversations, the saved plans and a new conversation. */
export function SessionsMenu() {
  const { t } = useTranslation('chat');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Tooltip label={t('sessions.menu')}>
        <ActionIcon aria-label={t('sessions.menu')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <IconMessages size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {isOpen && <ConversationsDialog onClose={() => setOpen(false)} />}
      <SavedPlansMenu />
      <Tooltip label={t('sessions.new')}>
        <ActionIcon aria-label={t('sessions.new')} onClick={() => void createSession()}>
          <IconPlus size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
