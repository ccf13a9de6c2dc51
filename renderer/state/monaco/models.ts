import type { editor } from 'monaco-editor/editor';
import type { OffsetEdit } from '../../../shared/text/text-edit.ts';
import { uriOf } from './model-path.ts';
import { loadMonaco, type Monaco } from './monaco.ts';
import { toTextEdits } from './text-edits.ts';
import { WEBGAL } from './webgal-id.ts';

type Model = editor.ITextModel;

const models = new Map<string, Model>();
/** Open files whose text is still being loaded. */
const unread = new Set<string>();

/** Returns the language id: the script language for scenes, plain text for settings and styles. */
function languageOf(path: string): string {
  return /^game\/scene\/.*\.txt$/i.test(path) ? WEBGAL : 'plaintext';
}

/** A change of a text. */
export interface TextChange {
  /** True for an undo or redo. */
  isStep: boolean;
  /** Null when the change cannot be expressed as edits. */
  edits: readonly OffsetEdit[] | null;
  /** Length of the resulting text. */
  length: number;
}

/** Returns the text model of an open file, created lazily. `onTyped` is called with each change of its text. */
export async function openModel(path: string, onTyped: (change: TextChange) => void): Promise<Model> {
  const monaco = await loadMonaco();
  const existing = models.get(path);
  if (existing) return existing;
  const model = showModel(monaco, path, '');
  unread.add(path);
  model.onDidChangeContent((event) => onTyped(toTextChange(event, model)));
  models.set(path, model);
  return model;
}

function toTextChange(event: editor.IModelContentChangedEvent, model: Model): TextChange {
  const { isUndoing, isRedoing, isFlush, eol, changes } = event;
  // Offsets refer to the model's text, in which a line break may be two characters.
  const isPlain = !isFlush && eol === '\n';
  const edits = changes.map(({ rangeOffset, rangeLength, text }) => ({ at: rangeOffset, removed: rangeLength, text }));
  return { isStep: isUndoing || isRedoing, edits: isPlain ? edits : null, length: model.getValueLength(1) };
}

/** Creates or updates the model of a file that is not open; for an open file use `modelOf`. */
export function showModel(monaco: Monaco, path: string, text: string): Model {
  const uri = uriOf(monaco, path);
  const existing = monaco.editor.getModel(uri);
  if (!existing) return monaco.editor.createModel(text, languageOf(path), uri);
  if (existing.getValue() !== text) existing.setValue(text);
  return existing;
}

export function modelOf(path: string): Model | undefined {
  return models.get(path);
}

/** Returns the text with line feeds; the file layer restores the file's line endings. */
export function textOf(path: string): string {
  return models.get(path)?.getValue(1 satisfies editor.EndOfLinePreference.LF) ?? '';
}

/**
 * Replaces what differs in a model's text, so that cursor, folds and undo history survive an external change. Setting the first text
 * creates no undo step: undo must not restore the empty model.
 */
export function replaceText(path: string, text: string): void {
  const model = models.get(path);
  if (!model) return;
  const before = textOf(path);
  const after = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  if (unread.delete(path)) {
    model.setValue(after);
    return;
  }
  const edits = toTextEdits(before, after).map(({ at, removed, text: added }) => {
    const [start, end] = [model.getPositionAt(at), model.getPositionAt(at + removed)];
    return {
      range: {
        startLineNumber: start.lineNumber,
        startColumn: start.column,
        endLineNumber: end.lineNumber,
        endColumn: end.column,
      },
      text: added,
    };
  });
  if (edits.length === 0) return;
  // A separate undo step, not merged with typing before or after.
  model.pushStackElement();
  model.pushEditOperations([], edits, () => null);
  model.pushStackElement();
}

/** Returns the position of an open text in its undo history: equal numbers mean equal texts. Undefined: not open. */
export function placeInHistory(path: string): number | undefined {
  return models.get(path)?.getAlternativeVersionId();
}

/** Takes one step in a text's undo history, if there is one. */
export function stepInHistory(path: string, step: 'undo' | 'redo'): void {
  const model = models.get(path) as (Model & SteppedModel) | undefined;
  if (step === 'undo') void model?.undo();
  else void model?.redo();
}

/** Members of a model that are missing in its public type. */
interface SteppedModel {
  undo(): unknown;
  redo(): unknown;
}

export function closeModel(path: string): void {
  models.get(path)?.dispose();
  models.delete(path);
  unread.delete(path);
}
