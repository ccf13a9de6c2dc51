import { api } from '../api.ts';
import { i18n } from '../i18n/setup.ts';
import { historyStore, refreshHistory } from '../state/history/history-store.ts';
import { clearNotices, notify, notifyError } from '../state/notify.ts';
import { addChange, undoChange } from './changes/file-changes.ts';

/** Restores snapshots and offers to undo the restore. */
export async function restoreSnapshots(snapshotIds: string[]): Promise<void> {
  historyStore.setState({ isRestoring: true });
  try {
    const { files } = await api.call('history.restore', { snapshotIds });
    const change = await addChange({ title: i18n.t('editor:undo.restore'), files });
    const { length: count } = files;
    clearNotices();
    notify({
      level: 'success',
      text: count > 0 ? i18n.t('history:restored', { count }) : i18n.t('history:unchanged'),
      ...(count > 0 && { action: { label: i18n.t('common:undo'), run: () => void undoChange(change) } }),
    });
  } catch (error) {
    notifyError(error);
  } finally {
    historyStore.setState({ isRestoring: false });
  }
}

/** Reverts an accepted proposal by restoring its snapshots. The revert can be undone. */
export async function restoreGroup(group: string): Promise<void> {
  const toFiles = () => historyStore.getState().groups?.find(({ id }) => id === group)?.files ?? [];
  // The list follows an acceptance a moment later.
  if (toFiles().length === 0) await refreshHistory();
  const files = toFiles();
  if (files.length > 0) await restoreSnapshots(files.map(({ snapshotId }) => snapshotId));
  else notify({ level: 'warning', text: i18n.t('chat:review.gone') });
}
