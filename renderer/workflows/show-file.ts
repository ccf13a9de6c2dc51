import { openFile } from '../state/documents/editor-store.ts';
import { showView } from '../state/navigation.ts';
import { isText } from '../state/project/file-kinds.ts';
import { shownAssetStore } from '../state/project/shown-asset.ts';
import { wantedSceneStore } from '../state/wanted-scene.ts';
import { wantSearch } from '../state/wanted-search.ts';

/**
 * Shows a file of the game in the editor, from any view. If it cannot be opened, its tab shows the reason. With `line`,
 * moves the cursor there and focuses the text.
 */
export function showFile(path: string, line?: number): void {
  showView('write');
  void openFile(path, line === undefined ? {} : { line });
}

/** Shows a place in a file of the game with so many characters selected. */
export function showText(path: string, place: { line: number; column: number; length: number }): void {
  showView('write');
  void openFile(path, place);
}

/** Shows a file of the game: a text in the editor, any other file in the asset view. */
export function showAsset(path: string): void {
  if (isText(path)) {
    showFile(path);
    return;
  }
  shownAssetStore.setState({ path });
  showView('project');
}

/** Shows a scene on the story map. */
export function showOnMap(path: string): void {
  wantedSceneStore.setState({ path });
  showView('story');
}

/** Shows the field that finds lines, speakers and scenes of the whole game, with what a text finds or with the last search. */
export function showSearch(text: string | null = null): void {
  wantSearch(text);
  showView('story');
}
