import type { CancellationToken, editor, IPosition, languages } from 'monaco-editor/editor';
import { uriOf } from '../../state/monaco/model-path.ts';
import type { Monaco } from '../../state/monaco/monaco.ts';
import { WEBGAL } from '../../state/monaco/webgal-id.ts';
import { askLanguage, toMonacoRange, toPlace } from './ask-language.ts';
import { showPeeks } from './peek-models.ts';

/** Registers definitions and references of labels, scenes, variables, characters, figures and files, in all scenes. */
export function registerReferences(monaco: Monaco): void {
  const find =
    (operation: 'findDefinitions' | 'findReferences') =>
    async (model: editor.ITextModel, position: IPosition, token: CancellationToken): Promise<languages.Location[]> => {
      const place = toPlace(model, position);
      const found = place && (await askLanguage({ model, token }, operation, { place }));
      if (!found) return [];
      showPeeks(monaco, found.texts);
      return found.places.map((range) => ({ uri: uriOf(monaco, range.path), range: toMonacoRange(range) }));
    };
  const references = find('findReferences');
  monaco.languages.registerDefinitionProvider(WEBGAL, { provideDefinition: find('findDefinitions') });
  monaco.languages.registerReferenceProvider(WEBGAL, {
    provideReferences: (model, position, _context, token) => references(model, position, token),
  });
}
