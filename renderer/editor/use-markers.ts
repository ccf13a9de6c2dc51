import type { editor } from 'monaco-editor/editor';
import { useEffect } from 'react';
import type { Diagnostic } from '../../shared/model/diagnostic.ts';
import { useProblems } from '../problems/problems-store.ts';
import { modelOf } from './models.ts';
import type { Monaco } from './monaco.ts';

const OWNER = 'webgal';
const NONE: Diagnostic[] = [];

/** Shows the problems of the open file in its text: a squiggle, a glyph beside the line, the sentence on hover. */
export function useMarkers(monaco: Monaco | undefined, path: string | null, isLoaded: boolean): void {
  const problems = useProblems((state) => (path ? (state.byPath[path] ?? NONE) : NONE));
  useEffect(() => {
    const model = path && isLoaded ? modelOf(path) : undefined;
    if (!monaco || !model) return;
    monaco.editor.setModelMarkers(
      model,
      OWNER,
      problems.map((problem) => toMarker(monaco, problem)),
    );
    const glyphs = model.deltaDecorations([], toGlyphs(problems));
    return () => {
      if (!model.isDisposed()) model.deltaDecorations(glyphs, []);
    };
  }, [monaco, path, isLoaded, problems]);
}

function toMarker(monaco: Monaco, problem: Diagnostic): editor.IMarkerData {
  const { Error: error, Warning: warning, Info: info } = monaco.MarkerSeverity;
  return {
    severity: { error, warning, info }[problem.severity],
    message: problem.fixHint ? `${problem.message}\n${problem.fixHint}` : problem.message,
    code: problem.code,
    startLineNumber: problem.line,
    startColumn: problem.column,
    endLineNumber: problem.endLine,
    endColumn: Math.max(problem.endColumn, problem.column + 1),
  };
}

/** One glyph a line, for its worst problem; notes get none. */
function toGlyphs(problems: readonly Diagnostic[]): editor.IModelDeltaDecoration[] {
  const worst = new Map<number, 'error' | 'warning'>();
  for (const { line, severity } of problems) {
    if (severity !== 'info' && worst.get(line) !== 'error') worst.set(line, severity);
  }
  return [...worst].map(([line, severity]) => ({
    range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 },
    options: { glyphMarginClassName: `problem-glyph problem-glyph-${severity}` },
  }));
}
