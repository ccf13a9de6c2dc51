import type { editor } from 'monaco-editor/editor';
import type { Monaco } from './monaco.ts';

/** The address under which Monaco holds a file of the game. */
export function uriOf(monaco: Monaco, path: string) {
  return monaco.Uri.from({ scheme: 'game', path: `/${path}` });
}

/** The project path of a model, or null for a model that is no file of the game (a diff's side). */
export function pathOf(model: editor.ITextModel): string | null {
  return model.uri.scheme === 'game' ? model.uri.path.slice(1) : null;
}
