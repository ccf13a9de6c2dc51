import { RedoCommand, UndoCommand } from 'monaco-editor/editor/browser/editorExtensions.js';

/** Higher than Monaco's own implementations, whose maximum is 10,000. */
const PRIORITY = 20_000;

/** Calls `take` before the editor undoes or redoes, by key or menu; when it returns true, the editor does nothing. */
export function addUndoStep(take: (step: 'undo' | 'redo') => boolean): void {
  UndoCommand.addImplementation(PRIORITY, 'webgal-agent', () => take('undo'));
  RedoCommand.addImplementation(PRIORITY, 'webgal-agent', () => take('redo'));
}
