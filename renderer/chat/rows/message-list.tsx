import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatState } from '../../../shared/model/chat.ts';
import { EmptyChat } from '../empty-chat.tsx';
import { createChatRows } from './chat-rows.ts';
import classes from './message-list.module.css';
import { RowFeed } from './row-feed.tsx';
import { useStickToBottom } from './use-stick-to-bottom.ts';
import { WorkingRow } from './working-row.tsx';

interface MessageListProps {
  chat: ChatState | null;
  /** False while no model could answer. */
  isOn: boolean;
}

/** The conversation, newest at the end. However long it is, only the rows in sight are in the page. */
export function MessageList({ chat, isOn }: MessageListProps) {
  const { t } = useTranslation('chat');
  const [toRows] = useState(createChatRows);
  const items = chat?.items ?? [];
  const rows = toRows(items);
  const isEmpty = rows.length === 0;
  const { viewport, content, isAway, hasNews, toBottom, toTop } = useStickToBottom(!isEmpty, items.at(-1));
  const session = chat?.session;
  const ownWords = items.findLast((item) => item.kind === 'user')?.id;
  // Another conversation starts at its end, and the user's own words are always in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these say when, not what
  useEffect(toBottom, [session, ownWords, toBottom]);
  const goDown = () => {
    toBottom();
    // The button goes away: what had the focus passes it on to what it led to.
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.viewport} ref={viewport} tabIndex={0} aria-label={t('log')} onKeyDown={onKeyDown}>
        <div className={classes.content} ref={content}>
          {isEmpty && <EmptyChat hasExamples={isOn && !chat?.practice} />}
          {chat && !isEmpty && <RowFeed key={session} rows={rows} chat={chat} viewport={viewport} />}
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
