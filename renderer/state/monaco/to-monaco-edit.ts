import type { IRange } from 'monaco-editor/editor';
import type { TextEdit } from '../../../shared/model/diagnostic.ts';

/** Converts an edit of the language service to Monaco's format. */
export function toMonacoEdit(edit: TextEdit): { range: IRange; text: string } {
  return {
    range: {
      startLineNumber: edit.line,
      startColumn: edit.column,
      endLineNumber: edit.endLine,
      endColumn: edit.endColumn,
    },
    text: edit.newText,
  };
}
