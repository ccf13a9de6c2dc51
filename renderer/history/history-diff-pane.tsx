import { useTranslation } from 'react-i18next';
import { useHistory } from '../state/history/history-store.ts';
import { useNow } from '../ui/hooks/use-now.ts';
import { Message } from '../ui/message.tsx';
import { describeError } from '../ui/text/describe-error.ts';
import { timeAgo } from '../ui/text/time-ago.ts';
import { restoreSnapshots } from '../workflows/restore/restore-snapshots.ts';
import { KeptTextPane, toShownName } from './kept-text-pane.tsx';

/** What restoring the selected snapshot would change. */
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
  const ago = at === undefined ? '' : timeAgo(at, i18n.language, now);
  return (
    <KeptTextPane
      {...diff}
      words={{ kept: t('kept'), same: t('same'), wouldRemove: t('wouldRemove') }}
      label={t('diffLabel', { file: toShownName(diff.path), ago })}
      isRestoring={isRestoring}
      onRestore={() => void restoreSnapshots([selected])}
    />
  );
}
