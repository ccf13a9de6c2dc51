import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ProposedFile } from '../../shared/model/proposal.ts';
import classes from './change-bar.module.css';
import { ChangeCounts } from './change-counts.tsx';
import { fileName } from './file-name.ts';
import { isScene, playChange } from './review-actions.ts';
import { hunkPlace, stepHunk } from './review-reducer.ts';
import { changeReview, useReview } from './review-store.ts';

interface ChangeBarProps {
  file: ProposedFile;
}

/** Which change she stands at, the way to the next, and the stage from here. */
export function ChangeBar({ file }: ChangeBarProps) {
  const { t } = useTranslation('review');
  const hunk = useReview((state) => state.hunk);
  const view = useReview((state) => state.view);
  const number = useReview((state) => hunkPlace(state).number);
  const total = useReview((state) => hunkPlace(state).total);
  const isOnly = useReview((state) => state.proposal?.files.length === 1);
  const kind = file.before === null ? t('files.new') : file.after === null ? t('files.deleted') : null;
  return (
    <div className={classes.root}>
      {isOnly && (
        <span className={classes.file}>
          <span title={file.path}>{fileName(file.path)}</span>
          {kind && <span className={classes.kind}>{kind}</span>}
          <ChangeCounts added={file.added} removed={file.removed} />
        </span>
      )}
      <span className={classes.place}>{total > 0 ? t('change.place', { number, total }) : t('change.none')}</span>
      <Tooltip label={t('change.previous')}>
        <ActionIcon
          size="sm"
          aria-label={t('change.previous')}
          aria-keyshortcuts="Shift+F7"
          disabled={total < 2}
          onClick={() => changeReview((state) => stepHunk(state, -1))}
        >
          <IconChevronUp size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('change.next')}>
        <ActionIcon
          size="sm"
          aria-label={t('change.next')}
          aria-keyshortcuts="F7"
          disabled={total < 2}
          onClick={() => changeReview((state) => stepHunk(state, 1))}
        >
          <IconChevronDown size={16} />
        </ActionIcon>
      </Tooltip>
      {view === 'text' && isScene(file.path) && file.after !== null && file.hunks.length > 0 && (
        <Button
          className={classes.play ?? ''}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlayerPlay size={14} />}
          onClick={() => playChange(file, hunk)}
        >
          {t('change.play')}
        </Button>
      )}
    </div>
  );
}
