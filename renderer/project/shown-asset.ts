import { createStore } from 'zustand/vanilla';
import { showView } from '../shell/shell-store.ts';
import { isText } from './file-kinds.ts';
import { showFile } from './show-file.ts';

/** The asset the page of assets brings into sight; null when she only looks around. */
export const shownAssetStore = createStore<{ path: string | null }>(() => ({ path: null }));

/** Shows a file of the game where it can be seen: a text in the editor, anything else among the assets. */
export function showAsset(path: string): void {
  if (isText(path)) {
    showFile(path);
    return;
  }
  shownAssetStore.setState({ path });
  showView('project');
}
