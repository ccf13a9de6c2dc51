import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatState } from '../../../../shared/model/chat.ts';
import { createChatRows } from '../../chat-rows.ts';
import { EmptyChat } from '../../empty-chat.tsx';
import { WorkingRow } from '../working-row.tsx';
import classes from './message-list.module.css';
import { RowFeed } from './row-feed.tsx';
import { useStickToBottom } from './use-stick-to-bottom.ts';

interface MessageListProps {
  chat: ChatState | null;
  /** False while no model is available. */
  isOn: boolean;
}

/** The conversation, newest row last. Only visible rows are in the DOM. */
export function MessageList({ chat, isOn }: MessageListProps) {
  const { t } = useTranslation('chat');
  const [toRows] = useState(createChatRows);
  const items = chat?.items ?? [];
  const rows = toRows(items);
  const isEmpty = rows.length === 0;
  const { viewport, content, isAway, hasNews, toBottom, toTop, leaveBottom } = useStickToBottom(!isEmpty, items.at(-1));
  const session = chat?.session;
  const ownWords = items.findLast((item) => item.kind === 'user')?.id;
  // Scroll to the end when another conversation opens or the user sends a message.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the extra dependencies are triggers
  useEffect(toBottom, [session, ownWords, toBottom]);
  const goDown = () => {
    toBottom();
    // The button disappears: move its focus to the list.
    viewport.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isOwn = event.target === event.currentTarget && !event.altKey && !event.metaKey && !event.shiftKey;
    if (!isOwn || (event.key !== 'Home' && event.key !== 'End')) return;
    event.preventDefault();
    if (event.key === 'Home') toTop();
    else toBottom();
  };
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable */}
      <section className={classes.viewport} ref={viewport} tabIndex={0} aria-label={t('log')} onKeyDown={onKeyDown}>
        <div className={classes.content} ref={content}>
          {isEmpty && (
            <EmptyChat hasExamples={isOn && !chat?.practice} isNewestElsewhere={chat?.isNewestElsewhere === true} />
          )}
          {chat && !isEmpty && (
            <RowFeed key={session} rows={rows} chat={chat} viewport={viewport} onFound={leaveBottom} />
          )}
          {chat && <WorkingRow chat={chat} />}
        </div>
      </section>
      {isAway && (
        <Button
          className={classes.pill ?? ''}
          size="compact-sm"
          radius="xl"
          variant={hasNews ? 'filled' : 'default'}
          leftSection={<IconArrowDown size={14} />}
          onClick={goDown}
        >
          {t(hasNews ? 'newMessages' : 'toNewest')}
        </Button>
      )}
    </div>
  );
}
