import type { Fix } from '../../shared/model/diagnostic.ts';
import { openFile } from '../state/documents/editor-store.ts';
import { modelOf } from '../state/monaco/models.ts';
import { toMonacoEdit } from '../state/monaco/to-monaco-edit.ts';

/** Applies a quick fix to the open text as one undo step. */
export async function applyFix(path: string, fix: Fix): Promise<void> {
  await openFile(path, fix.edits[0] ? { line: fix.edits[0].line, column: fix.edits[0].column } : {});
  const model = modelOf(path);
  if (!model) return;
  model.pushStackElement();
  model.pushEditOperations([], fix.edits.map(toMonacoEdit), () => null);
  model.pushStackElement();
}
