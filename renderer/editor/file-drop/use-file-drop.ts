import type { editor, IPosition } from 'monaco-editor/editor';
import { type RefObject, useEffect } from 'react';
import { joinsLines, lastLineOfStatement } from '../../../shared/script/syntax/fold-lines.ts';
import { i18n } from '../../i18n/setup.ts';
import { notify } from '../../state/notify.ts';
import { isScene } from '../../state/project/file-kinds.ts';
import { projectStore } from '../../state/project/project-store.ts';
import { isFileDrag, toDraggedPath } from '../../ui/file-drag.ts';
import { fileName } from '../../ui/text/file-name.ts';
import { toStatement } from './to-statement.ts';

/**
 * Lets files of the game be dropped into the open scene: the statement that uses the file is inserted below the
 * statement at the drop, or in place of an empty line. Files from outside are not taken.
 */
export function useFileDrop(
  holder: RefObject<HTMLElement | null>,
  code: editor.IStandaloneCodeEditor | undefined,
  path: string | null,
): void {
  useEffect(() => {
    const area = holder.current;
    if (!area || !code || path === null || !isScene(path)) return;
    const mark = code.createDecorationsCollection();
    const at = (event: DragEvent): IPosition | null =>
      code.getTargetAtClientPoint(event.clientX, event.clientY)?.position ?? null;
    const onOver = (event: DragEvent) => {
      const { dataTransfer } = event;
      if (!dataTransfer || !isFileDrag({ dataTransfer })) return;
      // The editor would insert the name, or open files from outside.
      event.stopPropagation();
      event.preventDefault();
      dataTransfer.dropEffect = dataTransfer.types.includes('Files') ? 'none' : 'copy';
      const line = at(event)?.lineNumber;
      mark.set(
        line === undefined ? [] : [{ range: toRange(line), options: { isWholeLine: true, className: 'drop-line' } }],
      );
    };
    const onLeave = () => mark.clear();
    const onDrop = (event: DragEvent) => {
      mark.clear();
      const { dataTransfer } = event;
      if (!dataTransfer || !isFileDrag({ dataTransfer })) return;
      event.stopPropagation();
      event.preventDefault();
      const dropped = toDraggedPath({ dataTransfer });
      if (dropped !== null) insert(code, dropped, at(event));
    };
    area.addEventListener('dragover', onOver, { capture: true });
    area.addEventListener('dragleave', onLeave, { capture: true });
    area.addEventListener('drop', onDrop, { capture: true });
    return () => {
      mark.clear();
      area.removeEventListener('dragover', onOver, { capture: true });
      area.removeEventListener('dragleave', onLeave, { capture: true });
      area.removeEventListener('drop', onDrop, { capture: true });
    };
  }, [holder, code, path]);
}

const toRange = (line: number, column = 1) => ({
  startLineNumber: line,
  startColumn: column,
  endLineNumber: line,
  endColumn: column,
});

function insert(code: editor.IStandaloneCodeEditor, path: string, place: IPosition | null): void {
  const file = projectStore.getState().files?.find((each) => each.path === path);
  const statement = file ? toStatement(file) : null;
  const model = code.getModel();
  if (!model) return;
  if (statement === null) {
    notify({ level: 'info', text: i18n.t('editor:notDropped', { name: fileName(path) }) });
    return;
  }
  const line = lastLineOf(model, place?.lineNumber ?? model.getLineCount());
  // Below a line that goes on, an empty line is a part of its statement.
  const isEmpty = model.getLineContent(line).trim() === '' && (line === 1 || lastLineOf(model, line - 1) < line);
  const range = isEmpty
    ? { ...toRange(line), endColumn: model.getLineMaxColumn(line) }
    : toRange(line, model.getLineMaxColumn(line));
  code.pushUndoStop();
  code.executeEdits('drop', [{ range, text: isEmpty ? statement : `${model.getEOL()}${statement}` }]);
  code.pushUndoStop();
  code.setPosition({ lineNumber: isEmpty ? line : line + 1, column: statement.length + 1 });
  code.focus();
}

/** Returns the last line of the statement at a line: it can be written over several ones. */
function lastLineOf(model: editor.ITextModel, line: number): number {
  const version = projectStore.getState().project?.engineVersion;
  if (version === undefined || !joinsLines(version)) return line;
  return lastLineOfStatement((at) => (at <= model.getLineCount() ? model.getLineContent(at) : undefined), line);
}
