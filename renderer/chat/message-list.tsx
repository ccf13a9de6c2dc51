import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatState } from '../../shared/model/chat.ts';
import { ChatRowView } from './chat-row.tsx';
import { toChatRows } from './chat-rows.ts';
import { EmptyChat } from './empty-chat.tsx';
import classes from './message-list.module.css';
import { useStickToBottom } from './use-stick-to-bottom.ts';
import { WorkingRow } from './working-row.tsx';

interface MessageListProps {
  chat: ChatState | null;
  /** False while no model could answer. */
  isOn: boolean;
}

/** The conversation, newest at the end. */
export function MessageList({ chat, isOn }: MessageListProps) {
  const { t } = useTranslation('chat');
  const items = chat?.items;
  const rows = useMemo(() => toChatRows(items ?? []), [items]);
  const isEmpty = rows.length === 0;
  const { viewport, content, hasNews, toBottom } = useStickToBottom(!isEmpty);
  const session = chat?.session;
  const ownWords = items?.findLast((item) => item.kind === 'user')?.id;
  // Another conversation starts at its end, and her own words are always in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these say when, not what
  useEffect(toBottom, [session, ownWords, toBottom]);
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.viewport} ref={viewport} tabIndex={0} aria-label={t('log')}>
        <div className={classes.content} ref={content}>
          {isEmpty && <EmptyChat hasExamples={isOn && !chat?.practice} />}
          {rows.map((row) => (
            <div key={row.id} className={classes.row} data-row={row.kind === 'fold' ? 'fold' : row.item.kind}>
              <ChatRowView row={row} />
            </div>
          ))}
          {chat && <WorkingRow chat={chat} />}
        </div>
      </section>
      {hasNews && (
        <Button
          className={classes.pill ?? ''}
          size="compact-sm"
          radius="xl"
          leftSection={<IconArrowDown size={14} />}
          onClick={toBottom}
        >
          {t('newMessages')}
        </Button>
      )}
    </div>
  );
}
