import type { IMarkdownString, languages } from 'monaco-editor/editor';
import type { Completion, CompletionKind } from '../../../shared/script/language-features/completions.ts';
import type { Monaco } from '../../state/monaco/monaco.ts';
import { WEBGAL } from '../../state/monaco/webgal-id.ts';
import { stageStore } from '../../state/stage/stage-store.ts';
import { answerLocale, askLanguage, toPlace } from './ask-language.ts';
import { toPictureText } from './picture-text.ts';

/** Registers completions for the cursor position; those of files include the picture if there is one. */
export function registerCompletions(monaco: Monaco): void {
  const kinds = toKinds(monaco);
  monaco.languages.registerCompletionItemProvider(WEBGAL, {
    triggerCharacters: [':', '-', '=', '{', '"', '|', ' ', '/', '.'],
    async provideCompletionItems(model, position, _context, token) {
      const place = toPlace(model, position);
      const found = place && (await askLanguage({ model, token }, 'complete', { place, locale: answerLocale() }));
      return {
        suggestions: (found ?? []).map((completion, order) => ({
          ...toItem(completion, order),
          kind: kinds[completion.kind],
          range: {
            startLineNumber: position.lineNumber,
            startColumn: completion.start + 1,
            endLineNumber: position.lineNumber,
            endColumn: completion.end + 1,
          },
        })),
      };
    },
  });
}

/** Converts a completion to Monaco's format. `order` keeps the service's order among equally good matches. */
function toItem(completion: Completion, order: number): Omit<languages.CompletionItem, 'kind' | 'range'> {
  const { label, insert, assetPath } = completion;
  const documentation = toDocumentation(completion);
  return {
    label,
    insertText: insert,
    sortText: String(order).padStart(6, '0'),
    ...(documentation && { documentation }),
    ...(assetPath !== undefined && { detail: assetPath }),
    // After a colon or an equals sign there are usually further completions.
    ...(/[:=]$/.test(insert) && { command: { id: 'editor.action.triggerSuggest', title: '' } }),
  };
}

function toDocumentation({ documentation, assetPath }: Completion): IMarkdownString | null {
  const picture = assetPath === undefined ? '' : toPictureText(stageStore.getState().stage.url, assetPath);
  const value = [picture, documentation ?? ''].filter(Boolean).join('\n\n');
  return value === '' ? null : { value };
}

function toKinds(monaco: Monaco): Record<CompletionKind, languages.CompletionItemKind> {
  const { CompletionItemKind: kind } = monaco.languages;
  return {
    command: kind.Function,
    argument: kind.Property,
    value: kind.EnumMember,
    asset: kind.File,
    scene: kind.Module,
    label: kind.Reference,
    variable: kind.Variable,
    speaker: kind.User,
    animation: kind.Event,
    figure: kind.Field,
    transform: kind.Property,
  };
}
