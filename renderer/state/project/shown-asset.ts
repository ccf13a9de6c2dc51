import { createStore } from 'zustand/vanilla';
import { showFile } from '../../workflows/show-file.ts';
import { showView } from '../navigation.ts';
import { isText } from './file-kinds.ts';

/** The asset that the asset view scrolls to; null for none. */
export const shownAssetStore = createStore<{ path: string | null }>(() => ({ path: null }));

/** Shows a file of the game: a text in the editor, any other file in the asset view. */
export function showAsset(path: string): void {
  if (isText(path)) {
    showFile(path);
    return;
  }
  shownAssetStore.setState({ path });
  showView('project');
}
