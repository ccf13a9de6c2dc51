import { Button, Loader, Modal, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionHit, SessionSummary } from '../../../shared/model/chat.ts';
import { useChat } from '../../state/chat/chat-store.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { openSession } from '../chat-actions.ts';
import { notifyRemoved, openHit, removeSession, restoreSession } from './conversation-actions.ts';
import { ConversationRow } from './conversation-row.tsx';
import classes from './conversations.module.css';
import { HitList } from './hit-list.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { useConversations } from './use-conversations.ts';
import { type Search, useSearch } from './use-search.ts';

const ROW_HEIGHT = 40;

/** All conversations of the game: search, open, rename, export, delete. */
export function ConversationsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('chat');
  const [text, setText] = useState('');
  const [renamed, setRenamed] = useState<SessionSummary | null>(null);
  /** True once a hit was opened: its row receives the focus. */
  const [isGoing, setGoing] = useState(false);
  const [now] = useState(Date.now);
  const field = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const sessions = useConversations();
  const search = useSearch(text);
  const { removed, remove, restore } = useRemoved(() => field.current?.focus());

  const open = async (session: string) => {
    if (await openSession(session)) onClose();
  };
  const go = async (hit: SessionHit) => {
    setGoing(true);
    if (await openHit(hit)) onClose();
    else setGoing(false);
  };
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title={t('sessions.menu')}
        size={560}
        centered
        returnFocus={!isGoing}
        trapFocus={renamed === null}
        closeOnEscape={renamed === null}
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <TextInput
          ref={field}
          mt={3} // Room for the ring of the focus, which the dialog would cut off.
          data-autofocus
          aria-label={t('sessions.search')}
          placeholder={t('sessions.search')}
          leftSection={<IconSearch size={15} aria-hidden />}
          rightSection={search?.isRunning ? <Loader size={14} /> : null}
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className={classes.status} role="status">
          {removed !== null && search === null ? (
            <>
              <span>{t('sessions.removed')}</span>
              <Button size="compact-xs" variant="light" onClick={restore}>
                {t('sessions.undo')}
              </Button>
            </>
          ) : (
            <Status sessions={sessions} search={search} />
          )}
        </div>
        <div ref={scroller} className={classes.scroller}>
          <div>
            {search && search.hits.length > 0 && (
              <HitList hits={search.hits} now={now} scroller={scroller} onOpen={(hit) => void go(hit)} />
            )}
            {!search && sessions && (
              <ConversationList
                sessions={sessions}
                now={now}
                scroller={scroller}
                onOpen={(session) => void open(session)}
                onRename={setRenamed}
                onRemove={(session) => void remove(session)}
              />
            )}
          </div>
        </div>
      </Modal>
      {renamed && <RenameDialog session={renamed.id} title={renamed.title} onClose={() => setRenamed(null)} />}
    </>
  );
}

interface ConversationListProps {
  sessions: readonly SessionSummary[];
  now: number;
  scroller: RefObject<HTMLElement | null>;
  onOpen: (session: string) => void;
  onRename: (summary: SessionSummary) => void;
  onRemove: (session: string) => void;
}

function ConversationList({ sessions, now, scroller, onOpen, onRename, onRemove }: ConversationListProps) {
  const { t } = useTranslation('chat');
  const current = useChat((state) => state.chat?.session);
  return (
    <VirtualList
      items={sessions}
      label={t('sessions.earlier')}
      className={classes.list}
      scroller={scroller}
      rowHeight={ROW_HEIGHT}
      toText={({ title }) => title}
      current={sessions.findIndex(({ id }) => id === current)}
    >
      {(summary, tabIndex) => (
        <ConversationRow
          key={summary.id}
          summary={summary}
          isCurrent={summary.id === current}
          now={now}
          tabIndex={tabIndex}
          onOpen={() => onOpen(summary.id)}
          onRename={() => onRename(summary)}
          onRemove={() => onRemove(summary.id)}
        />
      )}
    </VirtualList>
  );
}

/** Number of conversations or hits, as a sentence. */
function Status({ sessions, search }: { sessions: readonly SessionSummary[] | null; search: Search | null }) {
  const { t, i18n } = useTranslation('chat');
  const format = (count: number) => count.toLocaleString(i18n.language);
  if (!search) {
    if (!sessions) return <span>{t('common:loading')}</span>;
    const count = sessions.length;
    return <span>{count === 0 ? t('sessions.none') : t('sessions.count', { count, formatted: format(count) })}</span>;
  }
  const { hits, isRunning, isCut, searched, total } = search;
  if (isRunning) return <span>{t('sessions.searching', { searched: format(searched), total: format(total) })}</span>;
  if (isCut) return <span>{t('sessions.tooMany', { formatted: format(hits.length) })}</span>;
  const count = hits.length;
  return <span>{count === 0 ? t('sessions.noHits') : t('sessions.found', { count, formatted: format(count) })}</span>;
}

/** The conversation that was deleted last. When the dialog closes, a notification offers to bring it back. */
function useRemoved(onChange: () => void) {
  const [removed, setRemoved] = useState<string | null>(null);
  const last = useRef<string | null>(null);
  last.current = removed;
  useEffect(
    () => () => {
      if (last.current !== null) notifyRemoved(last.current);
    },
    [],
  );
  return {
    removed,
    remove: async (session: string) => {
      if (await removeSession(session)) setRemoved(session);
      // The row with the focus is gone.
      onChange();
    },
    restore: async () => {
      if (removed !== null && (await restoreSession(removed))) setRemoved(null);
      onChange();
    },
  };
}
