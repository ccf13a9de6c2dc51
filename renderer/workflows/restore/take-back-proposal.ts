import type { TransactionEntry } from '../../../shared/model/transactions/transaction-page.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { flushSaves } from '../../state/documents/editor-store.ts';
import { historyStore, refreshHistory } from '../../state/history/history-store.ts';
import { clearNotices, notify, notifyError } from '../../state/notify.ts';
import { restoreSnapshots } from './restore-snapshots.ts';
import { rollBackTransaction } from './roll-back-transaction.ts';

/** Maximum number of transactions of one acceptance that are looked for, and of file names in a notice. */
const MAX_TRANSACTIONS = 50;
const MAX_NAMES = 3;

/**
 * Takes back an accepted proposal; what was written since stays. Where it changed the same lines nothing is written, and the files
 * can be restored as they were before. `group`: of the acceptance.
 */
export async function takeBackProposal(group: string): Promise<void> {
  try {
    // What is typed and not saved yet must be merged, too.
    await flushSaves();
    const transactions = await findWritten(group);
    // The log keeps less than the history does.
    if (transactions.length === 0) return await restoreGroup(group);
    for (const transaction of transactions) {
      const conflicts = await rollBackTransaction(transaction);
      if (conflicts.length > 0) return offerRestore(group, [...new Set(conflicts.map(({ path }) => path))]);
    }
  } catch (error) {
    notifyError(error);
  }
}

/** Returns what the acceptance wrote and nothing undid since, newest first. */
async function findWritten(group: string): Promise<TransactionEntry[]> {
  const { entries } = await api.call('transactions.list', {
    filter: { text: group, origin: 'agent' },
    skip: 0,
    limit: MAX_TRANSACTIONS,
  });
  return entries.filter(({ canRollBack }) => canRollBack);
}

function offerRestore(group: string, paths: readonly string[]): void {
  const names = paths.slice(0, MAX_NAMES).map((path) => toVisible(path.split('/').at(-1) ?? path));
  if (paths.length > MAX_NAMES) names.push('…');
  clearNotices();
  notify({
    level: 'warning',
    text: i18n.t('chat:review.changedSince', {
      names: names.join(i18n.t('common:listSeparator')),
      count: paths.length,
    }),
    action: { label: i18n.t('chat:review.goBackAnyway'), run: () => void restoreGroup(group) },
  });
}

/** Restores the files as they were before the acceptance. */
async function restoreGroup(group: string): Promise<void> {
  const toFiles = () => historyStore.getState().groups?.find(({ id }) => id === group)?.files ?? [];
  // The list follows an acceptance a moment later.
  if (toFiles().length === 0) await refreshHistory();
  const files = toFiles();
  if (files.length > 0) await restoreSnapshots(files.map(({ snapshotId }) => snapshotId));
  else notify({ level: 'warning', text: i18n.t('chat:review.gone') });
}
