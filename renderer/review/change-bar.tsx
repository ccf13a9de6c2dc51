import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconPencil, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isAssetName } from '../../shared/model/asset/asset.ts';
import type { ProposedFile } from '../../shared/model/proposal.ts';
import { isScene } from '../state/project/file-kinds.ts';
import { hunkPlace, startEditing, stepHunk } from '../state/review/review-reducer.ts';
import { changeReview, useReview } from '../state/review/review-store.ts';
import { playChange } from '../workflows/play-change.ts';
import classes from './change-bar.module.css';
import { PieceTick } from './pieces/piece-tick.tsx';

interface ChangeBarProps {
  file: ProposedFile;
}

/** Shows the current change, navigates between changes, and in the text view plays from it. */
export function ChangeBar({ file }: ChangeBarProps) {
  const { t } = useTranslation('review');
  const hunk = useReview((state) => state.hunk);
  const view = useReview((state) => state.view);
  const number = useReview((state) => hunkPlace(state).number);
  const total = useReview((state) => hunkPlace(state).total);
  const canPlay = view === 'text' && isScene(file.path) && file.after !== null && file.hunks.length > 0;
  const canEdit =
    useReview((state) => state.proposal?.state === 'review') &&
    view === 'text' &&
    file.after !== null &&
    !isAssetName(file.path);
  const isOpen = useReview(({ editing }) => editing?.path === file.path && editing.hunk === hunk);
  return (
    <div className={classes.root}>
      {canEdit && file.hunks.length > 0 && (
        <Tooltip label={t('piece.edit')}>
          <ActionIcon
            size="sm"
            aria-label={t('piece.edit')}
            aria-expanded={isOpen}
            onClick={() => changeReview((state) => startEditing(state, { path: file.path, hunk }))}
          >
            <IconPencil size={15} />
          </ActionIcon>
        </Tooltip>
      )}
      {canPlay && (
        <Tooltip label={t('change.playHint')}>
          <ActionIcon size="sm" aria-label={t('change.play')} onClick={() => playChange(file, hunk)}>
            <IconPlayerPlay size={15} />
          </ActionIcon>
        </Tooltip>
      )}
      {view === 'text' && file.hunks.length > 0 && <PieceTick path={file.path} hunk={hunk} number={number} />}
      <span className={classes.place} title={t('change.place', { number, total })}>
        <span aria-hidden>{total > 0 ? `${number} / ${total}` : '0'}</span>
        <VisuallyHidden>{total > 0 ? t('change.place', { number, total }) : t('change.none')}</VisuallyHidden>
      </span>
      {total > 1 && (
        <>
          <Tooltip label={t('change.previous')}>
            <ActionIcon
              size="sm"
              aria-label={t('change.previous')}
              aria-keyshortcuts="p Shift+F7"
              onClick={() => changeReview((state) => stepHunk(state, -1))}
            >
              <IconChevronUp size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('change.next')}>
            <ActionIcon
              size="sm"
              aria-label={t('change.next')}
              aria-keyshortcuts="n F7"
              onClick={() => changeReview((state) => stepHunk(state, 1))}
            >
              <IconChevronDown size={16} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </div>
  );
}
