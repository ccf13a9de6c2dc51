import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { fileName } from '../../ui/text/file-name.ts';
import { attempt, notify } from '../notify.ts';
import { projectStore } from '../project/project-store.ts';
import { closeFile, forgetFile, openFile, openText } from './editor-store.ts';

/** Closes the tab of a file that is gone, without its text; a notice offers to bring that back. */
export function discardFile(path: string): void {
  const readProject = () => projectStore.getState().project?.id;
  const project = readProject();
  // Of this text: another one of the file may be discarded as well, and wait.
  const key = `discarded ${crypto.randomUUID()}`;
  const unsaved = { path, text: openText(path) ?? '', version: null };
  forgetFile(path);
  const undo = async (): Promise<void> => {
    // The path may be that of a file of another game.
    if (readProject() !== project) {
      offerUndo('warning', 'editor:discardedElsewhere');
      return;
    }
    // The file is there again, and open: what is on screen is saved first, and a conflict offers both texts.
    await closeFile(path);
    if (openText(path) !== undefined) {
      offerUndo('warning', 'editor:discardedWaits');
      return;
    }
    try {
      await api.call('script.buffer', { ...unsaved, revision: null });
    } catch (error) {
      offerUndo('warning', 'editor:discarded');
      throw error;
    }
    await openFile(path, { unsaved });
  };
  const offerUndo = (level: 'info' | 'warning', reason: `editor:discarded${'' | 'Waits' | 'Elsewhere'}`): void =>
    notify({
      level,
      text: i18n.t(reason, { name: fileName(path) }),
      action: { label: i18n.t('common:undo'), run: () => void attempt(undo) },
      // It stays: it holds the only copy.
      key,
    });
  offerUndo('info', 'editor:discarded');
}
