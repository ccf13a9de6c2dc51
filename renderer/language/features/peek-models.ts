import { editorStore, openFile } from '../../state/documents/editor-store.ts';
import { pathOf } from '../../state/monaco/model-path.ts';
import { showModel } from '../../state/monaco/models.ts';
import type { Monaco } from '../../state/monaco/monaco.ts';
import { isText } from '../../state/project/file-kinds.ts';
import { showAsset } from '../../workflows/show-file.ts';

/** Creates models for files that are not open, so that a list of references can show the surrounding lines. */
export function showPeeks(monaco: Monaco, texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    if (!isOpen(path)) showModel(monaco, path, text);
  }
}

const isOpen = (path: string) => editorStore.getState().files.some((file) => file.path === path);

/** Opens links to other files in a tab, or in the asset view for media. Peeked texts are read-only: nothing would save them. */
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
