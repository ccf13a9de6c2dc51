import { ActionIcon, Menu, ScrollArea, Tooltip } from '@mantine/core';
import { IconCheck, IconMessages, IconPencil, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../state/chat/chat-store.ts';
import { timeAgo } from '../../ui/text/time-ago.ts';
import { createSession, openSession, readSessions } from '../chat-actions.ts';
import { RenameDialog } from './rename-dialog.tsx';
import classes from './sessions-menu.module.css';

/** Menu to start a new conversation or open an earlier one. */
export function SessionsMenu() {
  const { t, i18n } = useTranslation('chat');
  const sessions = useChat((state) => state.sessions);
  const current = useChat((state) => state.chat?.session);
  const title = useChat((state) => state.chat?.title ?? '');
  const canRename = useChat((state) => state.chat !== null && !state.chat.isForeign && !state.chat.practice);
  const [isRenaming, setRenaming] = useState(false);
  const now = Date.now();
  return (
    <>
      <Menu position="bottom-end" width={280} onOpen={() => void readSessions()}>
        <Menu.Target>
          <Tooltip label={t('sessions.menu')}>
            <ActionIcon aria-label={t('sessions.menu')}>
              <IconMessages size={17} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('sessions.earlier')}</Menu.Label>
          <ScrollArea.Autosize mah={320} type="auto">
            {sessions.length === 0 && <Menu.Item disabled>{t('sessions.none')}</Menu.Item>}
            {sessions.map(({ id, title, at, isForeign }) => (
              <Menu.Item
                key={id}
                aria-current={id === current || undefined}
                leftSection={id === current ? <IconCheck size={14} /> : <span className={classes.gap} />}
                onClick={() => void openSession(id)}
              >
                <span className={classes.title}>{title || t('sessions.untitled')}</span>
                <span className={classes.when}>
                  {isForeign ? t('sessions.foreign') : timeAgo(at, i18n.language, now)}
                </span>
              </Menu.Item>
            ))}
          </ScrollArea.Autosize>
          {canRename && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setRenaming(true)}>
                {t('sessions.rename')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isRenaming && <RenameDialog title={title} onClose={() => setRenaming(false)} />}
      <Tooltip label={t('sessions.new')}>
        <ActionIcon aria-label={t('sessions.new')} onClick={() => void createSession()}>
          <IconPlus size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
