import type { CancellationToken, editor, IPosition, IRange } from 'monaco-editor/editor';
import type { Range } from '../../../shared/model/diagnostic.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import type { ScriptPlace } from '../../../shared/script/project-index/symbols.ts';
import { i18n } from '../../i18n/setup.ts';
import { language, whenFed } from '../../state/language/language.ts';
import type { LanguageOperations } from '../../state/language/language-operations.ts';
import { pathOf } from '../../state/monaco/model-path.ts';

/** The text of a request by the editor, and its cancellation token. */
export interface Asking {
  model: editor.ITextModel;
  token: CancellationToken;
}

/**
 * Queries the language service about a text on screen. Resolves to null when the answer is stale: the editor cancelled
 * the request, or the text changed in the meantime.
 */
export async function askLanguage<N extends keyof LanguageOperations>(
  { model, token }: Asking,
  name: N,
  input: Parameters<LanguageOperations[N]>[0],
): Promise<ReturnType<LanguageOperations[N]> | null> {
  const version = model.getVersionId();
  await whenFed();
  if (token.isCancellationRequested) return null;
  const answer = await language().call(name, input);
  return token.isCancellationRequested || model.isDisposed() || model.getVersionId() !== version ? null : answer;
}

/** Converts a position to a place in a file of the game; null for other texts. */
export function toPlace(model: editor.ITextModel, position: IPosition): ScriptPlace | null {
  const path = pathOf(model);
  return path === null ? null : { path, line: position.lineNumber, column: position.column };
}

export function toMonacoRange({ line, column, endLine, endColumn }: Range): IRange {
  return { startLineNumber: line, startColumn: column, endLineNumber: endLine, endColumn };
}

/** Returns the language for the service's messages. */
export const answerLocale = () => i18n.language as Locale;
