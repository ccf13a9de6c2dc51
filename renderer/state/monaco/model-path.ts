import type { editor } from 'monaco-editor/editor';
import type { Monaco } from './monaco.ts';

/** Returns Monaco's URI for a file of the game. */
export function uriOf(monaco: Monaco, path: string) {
  return monaco.Uri.from({ scheme: 'game', path: `/${path}` });
}

/** Returns the project path of a model; null if it is not a file of the game (a side of a diff). */
export function pathOf(model: editor.ITextModel): string | null {
  return model.uri.scheme === 'game' ? model.uri.path.slice(1) : null;
}
