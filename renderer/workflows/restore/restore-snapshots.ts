import type { Parsed } from '../../../shared/contract.ts';
import type { ChangedFile } from '../../../shared/model/snapshot.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { flushSaves } from '../../state/documents/editor-store.ts';
import { historyStore } from '../../state/history/history-store.ts';
import { clearNotices, notify, notifyError } from '../../state/notify.ts';
import { addChange, undoChange } from '../changes/file-changes.ts';

/** Restores snapshots and offers to undo the restore. */
export async function restoreSnapshots(snapshotIds: string[]): Promise<void> {
  historyStore.setState({ isRestoring: true });
  try {
    await report((await api.call('history.restore', { snapshotIds })).files);
  } catch (error) {
    notifyError(error);
  } finally {
    historyStore.setState({ isRestoring: false });
  }
}

/** Restores a file as it was in a commit and offers to undo the restore. Text of it that cannot be saved stays: nothing is restored then. */
export async function restoreCommit(version: Parsed<'git.restore'>): Promise<void> {
  try {
    if ((await flushSaves()).includes(version.path)) {
      const name = toVisible(version.path.split('/').at(-1) ?? '');
      notify({ level: 'warning', text: i18n.t('history:versions.unsaved', { name }) });
      return;
    }
    await report((await api.call('git.restore', version)).files);
  } catch (error) {
    notifyError(error);
  }
}

async function report(files: readonly ChangedFile[]): Promise<void> {
  const change = await addChange({ title: i18n.t('editor:undo.restore'), files });
  const { length: count } = files;
  clearNotices();
  notify({
    level: 'success',
    text: count > 0 ? i18n.t('history:restored', { count }) : i18n.t('history:unchanged'),
    ...(count > 0 && { action: { label: i18n.t('common:undo'), run: () => void undoChange(change) } }),
  });
}
