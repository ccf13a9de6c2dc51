import type { RollbackConflict, TransactionEntry } from '../../../shared/model/transactions/transaction-page.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { clearNotices, notify, notifyError } from '../../state/notify.ts';
import { addChange, undoChange } from '../changes/file-changes.ts';

/** Undoes a change of the log, and offers to undo that. Returns the files that prevent it; nothing was written then. */
export async function rollBackTransaction({
  id,
  title,
}: Pick<TransactionEntry, 'id' | 'title'>): Promise<readonly RollbackConflict[]> {
  try {
    const result = await api.call('transactions.rollBack', { id });
    if (result.status === 'conflict') return result.conflicts;
    clearNotices();
    if (result.status === 'unchanged') notify({ level: 'info', text: i18n.t('history:log.unchanged') });
    else {
      const change = await addChange({ title: title || i18n.t('editor:undo.restore'), files: result.files });
      notify({
        level: 'success',
        text: i18n.t('history:log.undone', { count: result.files.length }),
        action: { label: i18n.t('common:undo'), run: () => void undoChange(change) },
      });
    }
  } catch (error) {
    notifyError(error);
  }
  return [];
}

/** Makes a change that was written without review final. */
export async function keepTransaction(id: string): Promise<void> {
  try {
    await api.call('transactions.keep', { id });
  } catch (error) {
    notifyError(error);
  }
}
