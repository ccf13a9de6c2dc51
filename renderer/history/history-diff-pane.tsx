import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isLineEndingsOnly } from '../../shared/text/shown-lines.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { useHistory } from '../state/history/history-store.ts';
import { Message } from '../ui/message.tsx';
import { describeError } from '../ui/text/describe-error.ts';
import { timeAgo } from '../ui/text/time-ago.ts';
import { TextDiff } from '../ui/text-diff.tsx';
import { useNow } from '../ui/use-now.ts';
import { restoreSnapshots } from '../workflows/restore-snapshots.ts';
import classes from './history-view.module.css';

/** What restoring the selected file would change: the current text is the old side, the snapshot the new one. */
export function HistoryDiffPane() {
  const { t, i18n } = useTranslation('history');
  const selected = useHistory((state) => state.selected);
  const diff = useHistory((state) => state.diff);
  const diffError = useHistory((state) => state.diffError);
  const isRestoring = useHistory((state) => state.isRestoring);
  const at = useHistory(
    (state) => state.groups?.flatMap((group) => group.files).find((file) => file.snapshotId === selected)?.at,
  );
  const now = useNow();
  if (!selected) return <Message text={t('pick')} />;
  if (diffError !== null) return <Message tone="error" text={describeError(diffError, t)} />;
  if (!diff) return <Message text={t('common:loading')} />;

  const file = toVisible(diff.path.replace(/^game\/(scene\/)?/, ''));
  const isSame = diff.kept === diff.now;
  const note = isSame
    ? t('same')
    : isLineEndingsOnly(diff.now, diff.kept)
      ? t('common:lineEndingsOnly')
      : diff.kept === null
        ? t('wouldRemove')
        : diff.now === null
          ? t('gone')
          : null;
  const ago = at === undefined ? '' : timeAgo(at, i18n.language, now);
  return (
    <div className={classes.diff}>
      <div className={classes.bar}>
        <strong className={classes.path}>{file}</strong>
        <span className={classes.legend}>
          <span data-side="now">{t('now')}</span>
          <span aria-hidden>→</span>
          <span data-side="kept">{t('kept')}</span>
        </span>
        <Button
          leftSection={<IconArrowBackUp size={15} />}
          disabled={isSame}
          loading={isRestoring}
          onClick={() => void restoreSnapshots([selected])}
        >
          {t('restoreFile')}
        </Button>
      </div>
      {note && (
        <p className={classes.noteLine} data-tone={isSame ? 'quiet' : 'warn'}>
          {note}
        </p>
      )}
      <div className={classes.text}>
        {!isSame && (
          <TextDiff
            before={diff.now ?? ''}
            after={diff.kept ?? ''}
            language="webgal"
            label={t('diffLabel', { file, ago })}
          />
        )}
      </div>
    </div>
  );
}
