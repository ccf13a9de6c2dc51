import type { RestoreResult } from '../../../shared/model/checkpoint.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { closeRemoved, followDisk } from '../../state/documents/editor-store.ts';
import { checkpointStore, compare, isTicked, selectCheckpoint } from '../../state/history/checkpoint-store.ts';
import { attempt, clearNotices, notify, notifyError } from '../../state/notify.ts';

/** Maximum number of file names in a notice. */
const MAX_NAMES = 3;

/** Keeps the present state of the whole game. Resolves to whether it succeeded. */
export async function keepState(name: string): Promise<boolean> {
  return attempt(async () => {
    const { checkpoint } = await api.call('checkpoints.create', { name });
    const { count } = checkpoint.leftOut;
    if (count > 0) notify({ level: 'warning', text: i18n.t('history:states.leftOut', { count }) });
    else notify({ level: 'success', text: i18n.t('history:states.done', { count: checkpoint.files }) });
  });
}

/** Restores the ticked files of the selected checkpoint, and offers to undo it. */
export async function restoreTicked(): Promise<void> {
  const { selected, comparison, toggled } = checkpointStore.getState();
  if (selected === null || comparison === null) return;
  const isWhole = toggled.size === 0;
  const paths = comparison.files.filter((file) => isTicked(file, toggled)).map(({ path }) => path);
  // Without names all files are restored, also those that are not listed.
  await restore(selected, isWhole ? undefined : paths);
}

async function restore(id: string, paths: readonly string[] | undefined): Promise<void> {
  try {
    const result = await api.call('checkpoints.restore', { id, ...(paths && { paths: [...paths] }) });
    for (const path of result.changed) {
      await followDisk(path, null);
      closeRemoved(path);
    }
    clearNotices();
    report(result);
    checkpointStore.setState({ toggled: new Set() });
    await compare();
  } catch (error) {
    notifyError(error);
  }
}

function report({ before, changed, failed }: RestoreResult): void {
  const count = changed.length;
  const undo = { label: i18n.t('common:undo'), run: () => void restore(before, changed) };
  if (failed.length === 0) {
    const text = count > 0 ? i18n.t('history:restored', { count }) : i18n.t('history:unchanged');
    notify({ level: 'success', text, ...(count > 0 && { action: undo }) });
    return;
  }
  const names = failed
    .slice(0, MAX_NAMES)
    .map(({ path, reason }) =>
      i18n.t(`history:states.failed.${reason}`, { name: toVisible(path.split('/').at(-1) ?? path) }),
    );
  if (failed.length > MAX_NAMES) names.push('…');
  const text = `${i18n.t('history:states.notAll', { count, failed: failed.length })} ${names.join(' ')}`;
  notify({ level: 'warning', text, ...(count > 0 && { action: undo }) });
}

export async function renameState(id: string, name: string): Promise<void> {
  await attempt(() => api.call('checkpoints.rename', { id, name }));
}

export async function removeState(id: string): Promise<void> {
  if (await attempt(() => api.call('checkpoints.remove', { id }))) await selectCheckpoint(null);
}

export function stopStates(): void {
  void attempt(() => api.call('checkpoints.stop', {}));
}
