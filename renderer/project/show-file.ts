import { openFile } from '../editor/editor-store.ts';
import { showView } from '../shell/shell-store.ts';

/** Opens a file of the game in the editor, wherever she was. What cannot be opened is said in its tab. */
export function showFile(path: string): void {
  showView('write');
  void openFile(path);
}
