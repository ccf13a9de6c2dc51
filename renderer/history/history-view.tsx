import { SegmentedControl } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SNAPSHOTS_PER_FILE } from '../../shared/model/snapshot.ts';
import { useHistory } from '../state/history/history-store.ts';
import { VirtualList } from '../ui/list/virtual-list.tsx';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { describeError } from '../ui/text/describe-error.ts';
import { CheckpointsPane } from './checkpoints/checkpoints-pane.tsx';
import { HistoryDiffPane } from './history-diff-pane.tsx';
import classes from './history-view.module.css';
import { TurnCard } from './turn-card.tsx';

/** The history: changes grouped by turn with what restoring one would change, and the kept states of the whole game. */
export function HistoryView() {
  const { t } = useTranslation('history');
  const [shown, setShown] = useState('changes');
  const note = shown === 'changes' ? t('note', { texts: SNAPSHOTS_PER_FILE }) : t('states.note');
  return (
    <>
      <PaneHeader title={t('title')} note={note}>
        <SegmentedControl
          size="xs"
          aria-label={t('title')}
          value={shown}
          onChange={setShown}
          data={[
            { value: 'changes', label: t('changes') },
            { value: 'states', label: t('states.title') },
          ]}
        />
      </PaneHeader>
      {shown === 'changes' ? <ChangesPane /> : <CheckpointsPane />}
    </>
  );
}

function ChangesPane() {
  const { t } = useTranslation('history');
  const scroller = useRef<HTMLDivElement>(null);
  const groups = useHistory((state) => state.groups);
  const error = useHistory((state) => state.error);
  if (error !== null) return <Message tone="error" text={describeError(error, t)} />;
  if (!groups) return <Message text={t('common:loading')} />;
  if (groups.length === 0) {
    return <Message icon={<IconHistory size={22} stroke={1.5} />} text={t('empty')} hint={t('emptyHint')} />;
  }
  return (
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
  );
}
