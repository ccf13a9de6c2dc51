import { openFile } from '../editor/editor-store.ts';
import { showView } from '../shell/shell-store.ts';

/** Opens the editor at a 1-based line of a scene. */
export function openLine({ path, line }: { path: string; line: number }): void {
  showView('write');
  void openFile(path, { line });
}
