import { openFile } from '../state/documents/editor-store.ts';
import { showView } from '../state/navigation.ts';

/** Opens the editor at a 1-based line of a scene. */
export function openLine({ path, line }: { path: string; line: number }): void {
  showView('write');
  void openFile(path, { line });
}
