import { pathOf } from '../../state/monaco/model-path.ts';
import type { Monaco } from '../../state/monaco/monaco.ts';
import { WEBGAL } from '../../state/monaco/webgal-id.ts';
import { askLanguage, toMonacoRange } from './ask-language.ts';

/** Registers the formatter for scenes; formatting does not change a script's meaning. */
export function registerFormatting(monaco: Monaco): void {
  monaco.languages.registerDocumentFormattingEditProvider(WEBGAL, {
    async provideDocumentFormattingEdits(model, _options, token) {
      const path = pathOf(model);
      const edits = path === null ? null : await askLanguage({ model, token }, 'format', { path });
      return (edits ?? []).map((edit) => ({ range: toMonacoRange(edit), text: edit.newText }));
    },
  });
}
