import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Output } from '../../../shared/contract.ts';
import type { GitVersion } from '../../../shared/model/git/git.ts';
import { api } from '../../api.ts';
import { useAppChanges } from '../../state/app-changes.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { Message } from '../../ui/message.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import { timeAgo } from '../../ui/text/time-ago.ts';
import { restoreCommit } from '../../workflows/restore/restore-snapshots.ts';
import { KeptTextPane, toShownName } from '../kept-text-pane.tsx';

/** What restoring a file as it was in a commit would change. */
export function CommitPane({ path, commit }: { path: string; commit: GitVersion }) {
  const { t, i18n } = useTranslation('history');
  const { id, name, at } = commit;
  const [texts, setTexts] = useState<Output<'git.version'> | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, run] = useBusy();
  const now = useNow();
  const changed = useAppChanges((state) => state.connection + (state.files.get(path) ?? 0));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the file may have changed
  useEffect(() => {
    let isCurrent = true;
    api.call('git.version', { path, id, name }).then(
      (found) => {
        if (!isCurrent) return;
        setTexts(found);
        setError(null);
      },
      (failure: unknown) => isCurrent && setError(failure),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, id, name, changed]);
  if (error !== null) return <Message tone="error" text={describeError(error, t)} />;
  if (!texts) return <Message text={t('common:loading')} />;
  return (
    <KeptTextPane
      path={path}
      {...texts}
      words={{ kept: t('versions.inCommit'), same: t('versions.same'), wouldRemove: t('versions.wouldRemove') }}
      label={t('versions.diffLabel', { file: toShownName(path), ago: timeAgo(at, i18n.language, now) })}
      isRestoring={isBusy}
      onRestore={() => run(() => restoreCommit({ path, id, name }))}
    />
  );
}
