import { IconHistory } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { SNAPSHOTS_PER_FILE } from '../../shared/model/snapshot.ts';
import { useHistory } from '../state/history/history-store.ts';
import { VirtualList } from '../ui/list/virtual-list.tsx';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { describeError } from '../ui/text/describe-error.ts';
import { HistoryDiffPane } from './history-diff-pane.tsx';
import classes from './history-view.module.css';
import { TurnCard } from './turn-card.tsx';

/** The history: changes grouped by turn, and what restoring the selected one would change. */
export function HistoryView() {
  const { t } = useTranslation('history');
  const scroller = useRef<HTMLDivElement>(null);
  const groups = useHistory((state) => state.groups);
  const error = useHistory((state) => state.error);
  return (
    <>
      <PaneHeader title={t('title')} note={t('note', { texts: SNAPSHOTS_PER_FILE })} />
      {error !== null && <Message tone="error" text={describeError(error, t)} />}
      {error === null && !groups && <Message text={t('common:loading')} />}
      {error === null && groups?.length === 0 && (
        <Message icon={<IconHistory size={22} stroke={1.5} />} text={t('empty')} hint={t('emptyHint')} />
      )}
      {error === null && groups && groups.length > 0 && (
        <div className={classes.root}>
          <div className={classes.split}>
            <div className={classes.groups} ref={scroller}>
              <VirtualList items={groups} label={t('groups')} className={classes.list} scroller={scroller}>
                {(group) => <TurnCard key={group.id} group={group} />}
              </VirtualList>
            </div>
            <HistoryDiffPane />
          </div>
        </div>
      )}
    </>
  );
}
