import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Checkpoint } from '../../../shared/model/checkpoint.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { selectCheckpoint, useCheckpoints } from '../../state/history/checkpoint-store.ts';
import { formatBytes } from '../../state/project/file-kinds.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { Spelled } from '../../ui/text/spelled.tsx';
import { timeAgo } from '../../ui/text/time-ago.ts';
import classes from './checkpoints.module.css';

/** One checkpoint: its name or cause, age and size. */
export function CheckpointRow({ checkpoint, tabIndex }: { checkpoint: Checkpoint; tabIndex: 0 | -1 | undefined }) {
  const { t, i18n } = useTranslation('history');
  const isSelected = useCheckpoints((state) => state.selected === checkpoint.id);
  const now = useNow();
  const { name, cause, at, files, bytes } = checkpoint;
  return (
    <UnstyledButton
      className={classes.row}
      tabIndex={tabIndex}
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => void selectCheckpoint(checkpoint.id)}
    >
      <span className={classes.name} data-automatic={cause === 'user' ? undefined : true}>
        {name === '' ? t(`states.cause.${cause}`) : <Spelled text={toSpelled(name)} />}
      </span>
      <span className={classes.facts}>
        <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString(i18n.language)}>
          {timeAgo(at, i18n.language, now)}
        </time>
        <span>{t('states.facts', { count: files, size: formatBytes(bytes, i18n.language) })}</span>
      </span>
    </UnstyledButton>
  );
}
