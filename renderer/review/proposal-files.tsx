import { Checkbox, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ProposedFile } from '../../shared/model/proposal.ts';
import { ChangeCounts } from './change-counts.tsx';
import { fileName } from './file-name.ts';
import classes from './proposal-files.module.css';
import { isClash, showFile, toggleFile } from './review-reducer.ts';
import { changeReview, useReview } from './review-store.ts';

interface ProposalFilesProps {
  files: readonly ProposedFile[];
}

/** The files of a proposal: which one is shown, which ones she wants. */
export function ProposalFiles({ files }: ProposalFilesProps) {
  const { t } = useTranslation('review');
  return (
    <nav className={classes.root} aria-label={t('files.label')}>
      <ul className={classes.list}>
        {files.map((file) => (
          <li key={file.path}>
            <FileTab file={file} canLeaveOut={files.length > 1} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function FileTab({ file, canLeaveOut }: { file: ProposedFile; canLeaveOut: boolean }) {
  const { t } = useTranslation('review');
  const isShown = useReview((state) => state.path === file.path);
  const isWanted = useReview((state) => !state.unchecked.has(file.path));
  const hasClash = useReview((state) => isClash(state, file));
  const kind = file.before === null ? t('files.new') : file.after === null ? t('files.deleted') : null;
  return (
    <div className={classes.tab} data-shown={isShown || undefined} data-unwanted={!isWanted || undefined}>
      {canLeaveOut && (
        <Checkbox
          size="xs"
          checked={isWanted}
          aria-label={t('files.want', { path: fileName(file.path) })}
          onChange={() => changeReview((state) => toggleFile(state, file.path))}
        />
      )}
      <UnstyledButton
        className={classes.name}
        aria-current={isShown || undefined}
        title={file.path}
        onClick={() => changeReview((state) => showFile(state, file.path))}
      >
        {hasClash && <IconAlertTriangle size={14} className={classes.clash} aria-label={t('files.clash')} />}
        <span className={classes.label}>{fileName(file.path)}</span>
        {kind && <span className={classes.kind}>{kind}</span>}
        <ChangeCounts added={file.added} removed={file.removed} />
        {!isWanted && <span className={classes.kind}>{t('files.unwanted')}</span>}
      </UnstyledButton>
    </div>
  );
}
