import { openFile } from '../editor/editor-store.ts';
import { showView } from '../shell/shell-store.ts';

/**
 * Shows a file of the game in the editor, from any view. If it cannot be opened, its tab shows the reason. With `line`,
 * moves the cursor there and focuses the text.
 */
export function showFile(path: string, line?: number): void {
  showView('write');
  void openFile(path, line === undefined ? {} : { line });
}
