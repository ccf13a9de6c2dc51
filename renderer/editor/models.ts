import type { editor } from 'monaco-editor/editor';
import type { OffsetEdit } from '../../shared/model/text-edit.ts';
import { WEBGAL } from '../language/webgal-id.ts';
import { uriOf } from './model-path.ts';
import { loadMonaco, type Monaco } from './monaco.ts';

type Model = editor.ITextModel;

const models = new Map<string, Model>();
/** Open files whose text has not come yet. */
const unread = new Set<string>();

/** Scenes get the script language; settings and styles are plain text. */
function languageOf(path: string): string {
  return /^game\/scene\/.*\.txt$/i.test(path) ? WEBGAL : 'plaintext';
}

/** How a text changed. */
export interface TextChange {
  /** By undoing or redoing. */
  isStep: boolean;
  /** Null where only the whole text tells. */
  edits: readonly OffsetEdit[] | null;
  /** Of the text now. */
  length: number;
}

/** The text buffer of an open file, made on first need. `onTyped` is called with each change of its text. */
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
  // Offsets count what stands in the model, where a line may end with two characters.
  const isPlain = !isFlush && eol === '\n';
  const edits = changes.map(({ rangeOffset, rangeLength, text }) => ({ at: rangeOffset, removed: rangeLength, text }));
  return { isStep: isUndoing || isRedoing, edits: isPlain ? edits : null, length: model.getValueLength(1) };
}

/** The text of a file as Monaco holds it, made or brought up to date; for a file that is open use `modelOf`. */
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

/** Text with `\n` between lines; which endings the file has is the writer's business on the other side. */
export function textOf(path: string): string {
  return models.get(path)?.getValue(1 satisfies editor.EndOfLinePreference.LF) ?? '';
}

/**
 * Replaces a model's text by the smallest run that differs, so that cursor, folds and undo survive a change from
 * outside. The first text of an empty model is no change: undoing must not lead back to before the file was read.
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
  if (before === after) return;
  let start = 0;
  const shortest = Math.min(before.length, after.length);
  while (start < shortest && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let tail = 0;
  while (
    tail < shortest - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1;
  }
  // A step of its own: undoing it takes back no typing, and undoing typing nothing of it.
  model.pushStackElement();
  const from = model.getPositionAt(start);
  const to = model.getPositionAt(before.length - tail);
  model.pushEditOperations(
    [],
    [
      {
        range: {
          startLineNumber: from.lineNumber,
          startColumn: from.column,
          endLineNumber: to.lineNumber,
          endColumn: to.column,
        },
        text: after.slice(start, after.length - tail),
      },
    ],
    () => null,
  );
  model.pushStackElement();
}

/** Where an open text stands in its own history: the same number means the same text. Undefined when it is not open. */
export function placeInHistory(path: string): number | undefined {
  return models.get(path)?.getAlternativeVersionId();
}

/** Takes one step in a text's own history; nothing when there is none. */
export function stepInHistory(path: string, step: 'undo' | 'redo'): void {
  const model = models.get(path) as (Model & SteppedModel) | undefined;
  if (step === 'undo') void model?.undo();
  else void model?.redo();
}

/** What a model can do beside its public type. */
interface SteppedModel {
  undo(): unknown;
  redo(): unknown;
}

export function closeModel(path: string): void {
  models.get(path)?.dispose();
  models.delete(path);
  unread.delete(path);
}
