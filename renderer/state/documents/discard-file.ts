import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { fileName } from '../../ui/text/file-name.ts';
import { attempt, notify } from '../notify.ts';
import { projectStore } from '../project/project-store.ts';
import { forgetFile, openFile, openText } from './editor-store.ts';

/** Closes the tab of a file that is gone, without its text; a notice offers to bring that back. */
export function discardFile(path: string): void {
  const readProject = () => projectStore.getState().project?.id;
  const project = readProject();
  const unsaved = { path, text: openText(path) ?? '', version: null };
  forgetFile(path);
  const undo = async (): Promise<void> => {
    // The path may be that of a file of another game.
    if (readProject() !== project) return;
    await api.call('script.buffer', { ...unsaved, revision: null });
    await openFile(path, { unsaved });
  };
  notify({
    level: 'info',
    text: i18n.t('editor:discarded', { name: fileName(path) }),
    action: { label: i18n.t('common:undo'), run: () => void attempt(undo) },
  });
}
