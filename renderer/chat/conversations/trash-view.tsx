import { Button } from '@mantine/core';
import { IconArrowBackUp, IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrashedSummary } from '../../../shared/model/chat.ts';
import { api } from '../../api.ts';
import { useChat } from '../../state/chat/chat-store.ts';
import { notifyError } from '../../state/notify.ts';
import { formatBytes } from '../../state/project/file-kinds.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { timeAgo } from '../../ui/text/time-ago.ts';
import { eraseSession, restoreSession } from './conversation-actions.ts';
import classes from './conversations.module.css';
import { EraseButton } from './erase-button.tsx';

const ROW_HEIGHT = 40;

/** The deleted conversations: brings them back, or removes them for good. */
export function TrashView({ onBack }: { onBack: () => void }) {
  const { t, i18n } = useTranslation('chat');
  const sessions = useTrash();
  const back = useRef<HTMLButtonElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [now] = useState(Date.now);
  // The control with the focus is gone with its row.
  const run = async (work: Promise<boolean>) => {
    if (await work) back.current?.focus();
  };
  useEffect(() => back.current?.focus(), []);
  const bytes = (sessions ?? []).reduce((sum, each) => sum + each.bytes, 0);
  const facts = { formatted: (sessions ?? []).length.toLocaleString(i18n.language) };
  return (
    <>
      <div className={classes.bar}>
        <Button
          ref={back}
          size="compact-xs"
          variant="subtle"
          leftSection={<IconArrowLeft size={14} aria-hidden />}
          onClick={onBack}
        >
          {t('sessions.trash.back')}
        </Button>
        <div className={classes.status} role="status">
          {sessions === null && t('common:loading')}
          {sessions?.length === 0 && t('sessions.trash.none')}
          {sessions !== null &&
            sessions.length > 0 &&
            t('sessions.trash.count', { count: sessions.length, ...facts, size: formatBytes(bytes, i18n.language) })}
        </div>
      </div>
      <div ref={scroller} className={classes.scroller}>
        <div>
          {sessions && (
            <VirtualList
              items={sessions}
              label={t('sessions.trash.list')}
              className={classes.list}
              scroller={scroller}
              rowHeight={ROW_HEIGHT}
              toText={({ title }) => title}
            >
              {(summary, tabIndex) => (
                <TrashRow
                  key={summary.id}
                  summary={summary}
                  now={now}
                  tabIndex={tabIndex}
                  onRestore={() => void run(restoreSession(summary.id))}
                  onErase={() => void run(eraseSession(summary.id))}
                />
              )}
            </VirtualList>
          )}
        </div>
      </div>
      {sessions !== null && sessions.length > 0 && (
        <div className={classes.foot}>
          <EraseButton
            label={t('sessions.trash.empty')}
            question={t('sessions.trash.emptyQuestion')}
            onErase={() => void run(eraseSession(null))}
          />
        </div>
      )}
    </>
  );
}

interface TrashRowProps {
  summary: TrashedSummary;
  now: number;
  tabIndex: 0 | -1 | undefined;
  onRestore: () => void;
  onErase: () => void;
}

function TrashRow({ summary, now, tabIndex, onRestore, onErase }: TrashRowProps) {
  const { t, i18n } = useTranslation('chat');
  const { at, bytes, isForeign } = summary;
  const title = summary.title || t('sessions.untitled');
  return (
    <div className={classes.row} data-plain>
      <bdi className={classes.title}>{title}</bdi>
      {isForeign && <span className={classes.foreign}>{t('sessions.foreign')}</span>}
      <span className={classes.when}>{t('sessions.trash.when', { when: timeAgo(at, i18n.language, now) })}</span>
      <span className={classes.when}>{formatBytes(bytes, i18n.language)}</span>
      <Button
        size="compact-xs"
        variant="light"
        tabIndex={tabIndex}
        leftSection={<IconArrowBackUp size={14} aria-hidden />}
        aria-label={t('sessions.trash.restoreOf', { title })}
        onClick={onRestore}
      >
        {t('sessions.trash.restore')}
      </Button>
      <EraseButton
        label={t('sessions.trash.erase')}
        name={t('sessions.trash.eraseOf', { title })}
        question={t('sessions.trash.eraseQuestion')}
        tabIndex={tabIndex}
        onErase={onErase}
      />
    </div>
  );
}

/** Loads the deleted conversations, again after each change. Null until they are there. */
function useTrash(): readonly TrashedSummary[] | null {
  const changes = useChat((state) => state.sessionChanges);
  const [sessions, setSessions] = useState<readonly TrashedSummary[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the list is the trigger
  useEffect(() => {
    let isStale = false;
    api
      .call('chat.trash', {})
      .then((found) => {
        if (!isStale) setSessions(found.sessions);
      })
      .catch(notifyError);
    return () => {
      isStale = true;
    };
  }, [changes]);
  return sessions;
}
