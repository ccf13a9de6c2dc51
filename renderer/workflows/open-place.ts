import { i18n } from '../i18n/setup.ts';
import { openFile } from '../state/documents/editor-store.ts';
import { showView } from '../state/navigation.ts';
import { notify, notifyError } from '../state/notify.ts';
import { projectStore } from '../state/project/project-store.ts';
import { showFile } from '../state/review/review-reducer.ts';
import { changeReview, reviewStore } from '../state/review/review-store.ts';

/**
 * Opens the target of a link of the assistant: in the open proposal if that contains the file, because the assistant
 * refers to that text, else in the editor. Reports a missing file as a notification.
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
