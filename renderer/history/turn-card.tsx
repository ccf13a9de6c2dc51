import { Button, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp, IconPencil, IconSparkles } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { HistoryGroup } from '../../shared/model/snapshot.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { toSpelled } from '../../shared/text/spelled-text.ts';
import { selectSnapshot, useHistory } from '../state/history/history-store.ts';
import { useNow } from '../ui/hooks/use-now.ts';
import { Spelled } from '../ui/text/spelled.tsx';
import { timeAgo } from '../ui/text/time-ago.ts';
import { restoreSnapshots } from '../workflows/restore/restore-snapshots.ts';
import classes from './history-view.module.css';

/** Number of files shown of a change to many; one more row would need as much room as the button that shows the others. */
const FOLDED_TO = 6;

const ICONS = { agent: IconSparkles, writer: IconPencil, restore: IconArrowBackUp } as const;

interface TurnCardProps {
  group: HistoryGroup;
  /** True if all files of a change to many are listed. */
  isUnfolded: boolean;
  onFold: (isUnfolded: boolean) => void;
}

/** One turn, editing session or restore: origin, time, files, and buttons to restore the state before it. */
export function TurnCard({ group, isUnfolded, onFold }: TurnCardProps) {
  const { t, i18n } = useTranslation('history');
  const selected = useHistory((state) => state.selected);
  const isRestoring = useHistory((state) => state.isRestoring);
  const now = useNow();
  const OriginIcon = ICONS[group.origin];
  const isOpen = group.files.some((file) => file.snapshotId === selected);
  const hidden = group.files.length > FOLDED_TO + 1 ? group.files.slice(FOLDED_TO) : [];
  const isSelectedHidden = hidden.some((file) => file.snapshotId === selected);
  const areAllShown = isUnfolded || isSelectedHidden;
  const files = areAllShown ? group.files : group.files.slice(0, group.files.length - hidden.length);
  return (
    <div className={classes.card} data-open={isOpen || undefined}>
      <div className={classes.who}>
        <span className={classes.mark} data-origin={group.origin}>
          <OriginIcon size={13} stroke={1.8} aria-hidden />
        </span>
        {t(`origin.${group.origin}`)}
        <time
          className={classes.when}
          dateTime={new Date(group.at).toISOString()}
          title={new Date(group.at).toLocaleString(i18n.language)}
        >
          {timeAgo(group.at, i18n.language, now)}
        </time>
      </div>
      <h3 className={classes.title}>
        <Spelled text={toSpelled(group.title) || t(`untitled.${group.origin}`)} />
      </h3>
      <ul className={classes.files}>
        {files.map((file) => (
          <li key={file.snapshotId}>
            <UnstyledButton
              className={classes.file}
              aria-current={file.snapshotId === selected ? 'true' : undefined}
              onClick={() => void selectSnapshot(file.snapshotId)}
            >
              <span className={classes.path}>{toVisible(file.path.replace(/^game\/(scene\/)?/, ''))}</span>
              {!file.existed && <span className={classes.new}>{t('created')}</span>}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {hidden.length > 0 && !isSelectedHidden && (
        <UnstyledButton className={classes.fold} aria-expanded={areAllShown} onClick={() => onFold(!areAllShown)}>
          {areAllShown ? t('fewerFiles') : t('moreFiles', { count: hidden.length })}
        </UnstyledButton>
      )}
      {isOpen && group.files.length > 1 && (
        <Button
          className={classes.whole ?? ''}
          variant="default"
          fullWidth
          mt={6}
          loading={isRestoring}
          onClick={() => void restoreSnapshots(group.files.map((file) => file.snapshotId))}
        >
          {t('restoreGroup', { count: group.files.length })}
        </Button>
      )}
    </div>
  );
}
