import { openFile } from '../state/documents/editor-store.ts';
import { showView } from '../state/navigation.ts';

/**
 * Shows a file of the game in the editor, from any view. If it cannot be opened, its tab shows the reason. With `line`,
 * moves the cursor there and focuses the text.
 */
export function showFile(path: string, line?: number): void {
  showView('write');
  void openFile(path, line === undefined ? {} : { line });
}
