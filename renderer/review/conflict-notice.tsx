import { Button, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconGitMerge } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ProposedFile } from '../../shared/model/proposal.ts';
import { useReview } from '../state/review/review-store.ts';
import { fileName } from '../ui/text/file-name.ts';
import { acceptOver, askToRedo } from '../workflows/accept-proposal.ts';
import classes from './conflict-notice.module.css';

interface ConflictNoticeProps {
  file: ProposedFile;
  /** False while the assistant is drafting. */
  isReady: boolean;
}

/** Conflict notice: the user and the assistant changed the file; the user selects the version to keep. */
export function ConflictNotice({ file, isReady }: ConflictNoticeProps) {
  const { t } = useTranslation('review');
  const busy = useReview((state) => state.busy);
  const isByUser = useReview((state) => state.proposal?.author === 'user');
  const isOff = !isReady || busy !== null;
  return (
    <section className={classes.root} role="alert">
      <IconAlertTriangle size={17} aria-hidden />
      <div>
        <h3 className={classes.title}>{t('conflict.title', { file: fileName(file.path) })}</h3>
        <p className={classes.text}>{t(isByUser ? 'byUser.conflict' : 'conflict.text')}</p>
        <div className={classes.actions}>
          {!isByUser && (
            <Button variant="default" size="compact-sm" disabled={isOff} onClick={() => void askToRedo()}>
              {t('conflict.redo')}
            </Button>
          )}
          <Tooltip label={t('conflict.overwriteHint')} multiline maw={280}>
            <Button
              variant="default"
              size="compact-sm"
              disabled={isOff}
              aria-description={t('conflict.overwriteHint')}
              onClick={() => void acceptOver(file.path)}
            >
              {t('conflict.overwrite')}
            </Button>
          </Tooltip>
        </div>
      </div>
    </section>
  );
}

/** Merge notice: the file changed outside the proposed lines; the shown text contains both changes. */
export function MergeNotice({ file }: { file: ProposedFile }) {
  const { t } = useTranslation('review');
  return (
    <p className={classes.merged} role="status">
      <IconGitMerge size={16} aria-hidden />
      {t('merged.text', { file: fileName(file.path) })}
    </p>
  );
}
