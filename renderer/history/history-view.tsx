import { SegmentedControl } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type HistoryGroup, SNAPSHOTS_PER_FILE } from '../../shared/model/snapshot.ts';
import { useHistory } from '../state/history/history-store.ts';
import { VirtualList } from '../ui/list/virtual-list.tsx';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { describeError } from '../ui/text/describe-error.ts';
import { ChangeLog } from './change-log/change-log.tsx';
import { CheckpointsPane } from './checkpoints/checkpoints-pane.tsx';
import { HistoryDiffPane } from './history-diff-pane.tsx';
import classes from './history-view.module.css';
import { TurnCard } from './turn-card.tsx';
import { FileFilter } from './versions/file-filter.tsx';
import { FileVersions } from './versions/file-versions.tsx';

/** The parts of the history, each with the note beside its title. */
const PARTS = {
  texts: { label: 'textsPart', note: 'note', Part: EarlierTexts },
  states: { label: 'states.title', note: 'states.note', Part: CheckpointsPane },
  log: { label: 'logPart', note: 'log.headerNote', Part: ChangeLog },
} as const;
const PART_NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

/** The history: earlier texts that can be restored, kept states of the whole game, and the log of all changes. */
export function HistoryView() {
  const { t } = useTranslation('history');
  const [name, setName] = useState<keyof typeof PARTS>('texts');
  const { note, Part } = PARTS[name];
  return (
    <>
      <PaneHeader title={t('title')} note={t(note, { texts: SNAPSHOTS_PER_FILE })}>
        <SegmentedControl
          size="xs"
          aria-label={t('parts')}
          value={name}
          onChange={setName}
          data={PART_NAMES.map((value) => ({ value, label: t(PARTS[value].label) }))}
        />
      </PaneHeader>
      <Part />
    </>
  );
}

/** Changes grouped by turn or the versions of one file, and what restoring the selected one would change. */
function EarlierTexts() {
  const { t } = useTranslation('history');
  const [file, setFile] = useState<string | null>(null);
  const groups = useHistory((state) => state.groups);
  const error = useHistory((state) => state.error);
  if (error !== null) return <Message tone="error" text={describeError(error, t)} />;
  if (!groups) return <Message text={t('common:loading')} />;
  return (
    <div className={classes.root}>
      <FileFilter groups={groups} value={file} onChange={setFile} />
      {file === null ? <Turns groups={groups} /> : <FileVersions key={file} path={file} groups={groups} />}
    </div>
  );
}

function Turns({ groups }: { groups: readonly HistoryGroup[] }) {
  const { t } = useTranslation('history');
  const scroller = useRef<HTMLDivElement>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const fold = (id: string, isUnfolded: boolean) => {
    const others = [...unfolded].filter((each) => each !== id);
    setUnfolded(new Set(isUnfolded ? [...others, id] : others));
  };
  if (groups.length === 0) {
    return <Message icon={<IconHistory size={22} stroke={1.5} />} text={t('empty')} hint={t('emptyHint')} />;
  }
  return (
    <div className={classes.split}>
      <div className={classes.groups} ref={scroller}>
        <VirtualList items={groups} label={t('groups')} className={classes.list} scroller={scroller}>
          {(group) => (
            <TurnCard
              key={group.id}
              group={group}
              isUnfolded={unfolded.has(group.id)}
              onFold={(isUnfolded) => fold(group.id, isUnfolded)}
            />
          )}
        </VirtualList>
      </div>
      <HistoryDiffPane />
    </div>
  );
}
