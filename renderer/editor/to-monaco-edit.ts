import type { IRange } from 'monaco-editor/editor';
import type { TextEdit } from '../../shared/model/diagnostic.ts';

/** An edit of the language service as Monaco takes it. */
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
