import { Button, Loader, Modal, TextInput } from '@mantine/core';
import { IconSearch, IconTrash } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionSummary } from '../../../shared/model/chat.ts';
import type { SessionHit } from '../../../shared/model/conversation/session-hit.ts';
import { useChat } from '../../state/chat/chat-store.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { openSession } from '../chat-actions.ts';
import { notifyRemoved, openHit, removeSession, restoreSession } from './conversation-actions.ts';
import { ConversationRow } from './conversation-row.tsx';
import classes from './conversations.module.css';
import { HitList } from './hit-list.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { TrashView } from './trash-view.tsx';
import { useConversations } from './use-conversations.ts';
import { type Search, useSearch } from './use-search.ts';

const ROW_HEIGHT = 40;

/** All conversations of the game, or those in the trash. */
export function ConversationsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('chat');
  const [isTrash, setTrash] = useState(false);
  /** True once a hit was opened: its row receives the focus. */
  const [isGoing, setGoing] = useState(false);
  useFocusBack(!isGoing);
  /** True while a dialog is open over this one. */
  const [isCovered, setCovered] = useState(false);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(isTrash ? 'sessions.trash.title' : 'sessions.menu')}
      size={560}
      centered
      trapFocus={!isCovered}
      closeOnEscape={!isCovered}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      {isTrash ? (
        <TrashView onBack={() => setTrash(false)} />
      ) : (
        <AllConversations onClose={onClose} onGo={setGoing} onCover={setCovered} onTrash={() => setTrash(true)} />
      )}
    </Modal>
  );
}

interface AllConversationsProps {
  onClose: () => void;
  onGo: (isGoing: boolean) => void;
  onCover: (isCovered: boolean) => void;
  onTrash: () => void;
}

/** Search, open, rename, export, delete. */
function AllConversations({ onClose, onGo, onCover, onTrash }: AllConversationsProps) {
  const { t } = useTranslation('chat');
  const [text, setText] = useState('');
  const [renamed, setRenamed] = useState<SessionSummary | null>(null);
  const [now] = useState(Date.now);
  const field = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const sessions = useConversations();
  const search = useSearch(text);
  const { removed, remove, restore, forget } = useRemoved(() => field.current?.focus());

  const goToTrash = () => {
    forget();
    onTrash();
  };
  const rename = (summary: SessionSummary | null) => {
    setRenamed(summary);
    onCover(summary !== null);
  };
  const open = async (session: string) => {
    if (await openSession(session)) onClose();
  };
  const go = async (hit: SessionHit) => {
    onGo(true);
    if (await openHit(hit)) onClose();
    else onGo(false);
  };
  return (
    <>
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
      <div className={classes.bar}>
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
        <TrashButton onClick={goToTrash} />
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
              onRename={rename}
              onRemove={(session) => void remove(session)}
            />
          )}
        </div>
      </div>
      {renamed && <RenameDialog session={renamed.id} title={renamed.title} onClose={() => rename(null)} />}
    </>
  );
}

function TrashButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('chat');
  return (
    <Button size="compact-xs" variant="subtle" leftSection={<IconTrash size={14} aria-hidden />} onClick={onClick}>
      {t('sessions.trash.open')}
    </Button>
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
    /** The trash shows it. */
    forget: () => {
      last.current = null;
    },
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
