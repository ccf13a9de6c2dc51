import { Checkbox, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import type { ProposedFile } from '../../../shared/model/proposal.ts';
import { countPieces } from '../../../shared/text/pieces.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { countTicked } from '../../state/review/piece-choices.ts';
import { isConflicting, showFile, toggleFile } from '../../state/review/review-reducer.ts';
import { changeReview, useReview } from '../../state/review/review-store.ts';
import { ChangeCounts } from '../../ui/change-counts.tsx';
import { showTab } from '../../ui/tab-strip.tsx';
import { fileName } from '../../ui/text/file-name.ts';
import classes from './file-tab.module.css';

interface FileTabProps {
  file: ProposedFile;
  /** False if the file is the only one. */
  canLeaveOut: boolean;
}

/** A file of a proposal: shows it; its box leaves it out. Memoized by file: while the assistant drafts, tabs are added frequently. */
export const FileTab = memo(function FileTab({ file, canLeaveOut }: FileTabProps) {
  const { t } = useTranslation('review');
  const isShown = useReview((state) => state.path === file.path);
  const ticked = useReview((state) => countTicked(state, file));
  const isWanted = ticked > 0;
  const isWhole = ticked === countPieces(file);
  const hasConflict = useReview((state) => isConflicting(state, file));
  return (
    <div
      ref={isShown ? showTab : undefined}
      className={classes.tab}
      data-shown={isShown || undefined}
      data-unwanted={!isWanted || undefined}
    >
      {canLeaveOut && (
        <Checkbox
          size="xs"
          checked={isWhole}
          indeterminate={isWanted && !isWhole}
          aria-label={t('files.want', { path: fileName(file.path) })}
          onChange={() => changeReview((state) => toggleFile(state, file.path))}
        />
      )}
      <UnstyledButton
        className={classes.name}
        aria-current={isShown || undefined}
        title={toVisible(file.path)}
        onClick={() => changeReview((state) => showFile(state, file.path))}
      >
        {hasConflict && <IconAlertTriangle size={14} className={classes.conflict} aria-label={t('files.conflict')} />}
        <bdi className={classes.label}>{fileName(file.path)}</bdi>
        <FileKind file={file} />
        <ChangeCounts path={file.path} added={file.added} removed={file.removed} after={file.after} />
        {!isWanted && <span className={classes.kind}>{t('files.unwanted')}</span>}
      </UnstyledButton>
    </div>
  );
});

/** Change of the file as a whole: added, deleted or renamed. */
function FileKind({ file }: { file: ProposedFile }) {
  const { t } = useTranslation('review');
  if (file.from !== undefined) {
    const text = t('files.renamed', { name: fileName(file.from) });
    return (
      <span className={`${classes.kind} ${classes.from}`} title={text}>
        {text}
      </span>
    );
  }
  // Its counts say so in words.
  if (isAssetName(file.path)) return null;
  if (file.before === null) return <span className={classes.kind}>{t('files.new')}</span>;
  if (file.after === null) return <span className={classes.kind}>{t('files.deleted')}</span>;
  return null;
}
