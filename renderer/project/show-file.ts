import { openFile } from '../editor/editor-store.ts';
import { showView } from '../shell/shell-store.ts';

/**
 * Opens a file of the game in the editor, whatever view is shown. What cannot be opened is said in its tab. With `line` the
 * cursor goes there and typing goes into the text.
 */
export function showFile(path: string, line?: number): void {
  showView('write');
  void openFile(path, line === undefined ? {} : { line });
}
