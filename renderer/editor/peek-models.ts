import { isText } from '../project/file-kinds.ts';
import { showAsset } from '../project/shown-asset.ts';
import { editorStore, openFile } from './editor-store.ts';
import { pathOf } from './model-path.ts';
import { showModel } from './models.ts';
import type { Monaco } from './monaco.ts';

/** Gives files that are not open a text to be looked at, so that a list of places can show the lines around each. */
export function showPeeks(monaco: Monaco, texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    if (!isOpen(path)) showModel(monaco, path, text);
  }
}

const isOpen = (path: string) => editorStore.getState().files.some((file) => file.path === path);

/** Places in other files open in a tab, a picture or sound among the assets; a text that is only looked at cannot be typed in, for nothing would save it. */
export function connectPeeks(monaco: Monaco): void {
  monaco.editor.registerEditorOpener({
    openCodeEditor(source, resource, target) {
      if (resource.scheme !== 'game' || source.getModel()?.uri.toString() === resource.toString()) return false;
      const path = resource.path.slice(1);
      if (!isText(path)) {
        showAsset(path);
        return true;
      }
      const position =
        target &&
        ('lineNumber' in target ? target : { lineNumber: target.startLineNumber, column: target.startColumn });
      void openFile(path, position ? { line: position.lineNumber, column: position.column } : {});
      return true;
    },
  });
  monaco.editor.onDidCreateEditor((code) => {
    let wasPeek = false;
    code.onDidChangeModel(() => {
      const model = code.getModel();
      const path = model && pathOf(model);
      const isPeek = path !== null && !isOpen(path);
      if (isPeek !== wasPeek) code.updateOptions({ readOnly: isPeek });
      wasPeek = isPeek;
    });
  });
}
