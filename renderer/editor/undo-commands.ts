import { RedoCommand, UndoCommand } from 'monaco-editor/editor/browser/editorExtensions.js';

/** Before the editor's own, which have 10,000 at most. */
const PRIORITY = 20_000;

/** Has `take` asked before the editor undoes or redoes, by whatever key or menu; true ends it there. */
export function addUndoStep(take: (step: 'undo' | 'redo') => boolean): void {
  UndoCommand.addImplementation(PRIORITY, 'webgal-agent', () => take('undo'));
  RedoCommand.addImplementation(PRIORITY, 'webgal-agent', () => take('redo'));
}
