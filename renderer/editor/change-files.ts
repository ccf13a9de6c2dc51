import { AppError } from '../../shared/errors.ts';
import type { FileChange } from '../../shared/script/file-changes.ts';
import { api } from '../api.ts';
import { restoreSnapshots } from '../history/history-store.ts';
import { i18n } from '../i18n/setup.ts';
import { notify } from '../ui/notify.ts';
import { activate, closeFile, editorStore, flushSaves, openFile, openText, rereadFile } from './editor-store.ts';

/**
 * Changes several files of the game as one step: open or not, all of them or none. What she typed is saved first. When
 * a file is not what the change was worked out on, nothing happens (`E_CONFLICT`, reason `write.conflict`). Says what
 * was done, with a way back.
 */
export async function changeFiles(changes: readonly FileChange[], title: string): Promise<void> {
  if (changes.length === 0) return;
  await flushSaves();
  const versions = await Promise.all(changes.map(findVersion));
  const { files } = await api.call('script.saveAll', {
    title: title.slice(0, 200),
    changes: changes.map(({ path, after, from }, at) => ({
      path,
      text: after,
      version: versions[at] ?? null,
      ...(from !== undefined && { like: from }),
    })),
  });
  await showChanged(changes);
  const snapshots = files.map(({ snapshotId }) => snapshotId);
  notify({
    level: 'success',
    text: i18n.t('editor:changedFiles', { title, count: files.length }),
    ...(snapshots.length > 0 && {
      action: { label: i18n.t('common:undo'), run: () => void restoreSnapshots(snapshots) },
    }),
  });
}

/** The version on disk, if it holds the text that the change begins with. */
async function findVersion({ path, before }: FileChange): Promise<string | null> {
  if (before === null) return null;
  const open = editorStore.getState().files.find((file) => file.path === path)?.state;
  const isSaved = open === undefined || open.status === 'saved';
  const file =
    open && isSaved ? { text: openText(path), version: open.version } : await api.call('script.read', { path });
  if (isSaved && file.text === before) return file.version;
  throw new AppError('E_CONFLICT', `"${path}" is not what it was.`, {
    reason: 'write.conflict',
    details: { paths: [path] },
  });
}

/** Open texts follow the disk; a file that moved is open under its new name. */
async function showChanged(changes: readonly FileChange[]): Promise<void> {
  for (const { path, after, from } of changes) {
    if (from !== undefined && openText(from) !== undefined) {
      const { active } = editorStore.getState();
      await openFile(path);
      if (active !== null && active !== from) activate(active);
      await closeFile(from);
    } else if (after !== null) {
      await rereadFile(path);
    }
  }
}
