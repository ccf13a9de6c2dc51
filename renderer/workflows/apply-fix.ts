import type { Fix, TextEdit } from '../../shared/model/diagnostic.ts';
import { openFile, openText } from '../state/documents/editor-store.ts';
import { modelOf } from '../state/monaco/models.ts';
import { toMonacoEdit } from '../state/monaco/to-monaco-edit.ts';
import { showView } from '../state/navigation.ts';

/** Applies a quick fix to the open text as one undo step. */
export async function applyFix(path: string, fix: Fix): Promise<void> {
  await openFile(path, fix.edits[0] ? { line: fix.edits[0].line, column: fix.edits[0].column } : {});
  const model = modelOf(path);
  if (!model) return;
  model.pushStackElement();
  model.pushEditOperations([], fix.edits.map(toMonacoEdit), () => null);
  model.pushStackElement();
}

/**
 * Shows a line in the editor and changes it as one undo step. `toEdit` computes the edit from the line's present text. Resolves to
 * the edit; null if there is no such line, or `toEdit` finds none.
 */
export async function editLine(
  { path, line, title }: { path: string; line: number; title: string },
  toEdit: (text: string) => TextEdit | null,
): Promise<TextEdit | null> {
  showView('write');
  await openFile(path, { line });
  const text = openText(path)?.split('\n')[line - 1]?.replace(/\r$/, '');
  const edit = text === undefined ? null : toEdit(text);
  if (edit) await applyFix(path, { title, edits: [edit] });
  return edit;
}
