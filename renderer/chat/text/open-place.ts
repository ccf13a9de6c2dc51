import { openFile } from '../../editor/editor-store.ts';
import { i18n } from '../../i18n/setup.ts';
import { projectStore } from '../../project/project-store.ts';
import { showFile } from '../../review/review-reducer.ts';
import { changeReview, reviewStore } from '../../review/review-store.ts';
import { showView } from '../../shell/shell-store.ts';
import { notify, notifyError } from '../../ui/notify.ts';

/**
 * Goes where a link of the assistant's points: into the open proposal when it holds the file, for that is the text the
 * assistant speaks of, else into the editor. A file nobody has is said to be missing.
 */
export async function openPlace(path: string, line: number | null): Promise<void> {
  const isProposed = reviewStore.getState().proposal?.files.some((file) => file.path === path);
  if (isProposed) {
    changeReview((state) => showFile(state, path, line));
    showView('review');
    return;
  }
  const { files } = projectStore.getState();
  if (files && !files.some((file) => file.path === path)) {
    notify({ level: 'info', text: i18n.t('chat:link.missing', { path }) });
    return;
  }
  try {
    showView('write');
    await openFile(path, line === null ? {} : { line });
  } catch (error) {
    notifyError(error);
  }
}
