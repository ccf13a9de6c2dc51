import type { editor } from 'monaco-editor/editor';
import { useEffect, useRef } from 'react';
import type { Diagnostic } from '../../shared/model/diagnostic.ts';
import type { LineMarks } from '../../shared/script/language-features/line-marks.ts';
import { language } from '../state/language/language.ts';
import { modelOf } from '../state/monaco/models.ts';
import type { Monaco } from '../state/monaco/monaco.ts';
import { useProblems } from '../state/problems/problems-store.ts';
import { useStageMarkers } from './use-stage-markers.ts';

const OWNER = 'webgal';
const NONE: readonly Diagnostic[] = [];

/** Shows the problems of the open file in its text: a squiggle, a glyph beside the line, the message on hover. */
export function useMarkers(monaco: Monaco | undefined, path: string | null, isLoaded: boolean): void {
  const problems = useProblems(({ book }) => (path ? book.of(path) : NONE));
  useStageMarkers(monaco, { path, isLoaded, problems });
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

/** Fades unreachable lines and strikes through ineffective ones in the open file, updated with the problems. */
export function useMarks(path: string | null, isLoaded: boolean): void {
  const problems = useProblems(({ book }) => (path ? book.of(path) : NONE));
  /** Decoration ids by model: a model that is not on screen keeps its decorations. */
  const shown = useRef(new WeakMap<editor.ITextModel, string[]>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: new problems mean that the text was analysed again
  useEffect(() => {
    const model = path && isLoaded ? modelOf(path) : undefined;
    if (!model || !path) return;
    let isOver = false;
    const show = (marks: LineMarks | null) => {
      if (isOver || model.isDisposed()) return;
      // Keep the old decorations until the new ones arrive, to avoid flicker during typing.
      const old = shown.current.get(model) ?? [];
      shown.current.set(model, model.deltaDecorations(old, marks ? toDecorations(marks) : []));
    };
    // Without an answer of the worker there are no marks; the problems are still shown.
    void askMarks(path).then(show, () => show(null));
    return () => {
      isOver = true;
    };
  }, [path, isLoaded, problems]);
}

/** Requests the marks. The worker reported the problems, so it has the text; a file that is not a scene has no marks. */
const askMarks = (path: string): Promise<LineMarks> => language().call('mark', { path });

function toDecorations({ unreachable, inert }: LineMarks): editor.IModelDeltaDecoration[] {
  return [
    ...unreachable.map(({ first, last }) => ({
      range: { startLineNumber: first, startColumn: 1, endLineNumber: last, endColumn: Number.MAX_SAFE_INTEGER },
      options: { inlineClassName: 'script-unreachable' },
    })),
    ...inert.map(({ line, column, endLine, endColumn }) => ({
      range: { startLineNumber: line, startColumn: column, endLineNumber: endLine, endColumn },
      options: { inlineClassName: 'script-inert' },
    })),
  ];
}

function toMarker(monaco: Monaco, problem: Diagnostic): editor.IMarkerData {
  const { Error: error, Warning: warning, Info: info, Hint: hint } = monaco.MarkerSeverity;
  // Unreachable lines are already faded, so they get no squiggle.
  const isFaded = problem.code === 'unreachable' && problem.severity === 'info';
  return {
    severity: isFaded ? hint : { error, warning, info }[problem.severity],
    ...(isFaded && { tags: [monaco.MarkerTag.Unnecessary] }),
    message: problem.fixHint ? `${problem.message}\n${problem.fixHint}` : problem.message,
    code: problem.code,
    startLineNumber: problem.line,
    startColumn: problem.column,
    endLineNumber: problem.endLine,
    endColumn: Math.max(problem.endColumn, problem.column + 1),
  };
}

/** Creates one glyph per line, for its most severe problem; `info` gets none. */
function toGlyphs(problems: readonly Diagnostic[]): editor.IModelDeltaDecoration[] {
  const worst = new Map<number, 'error' | 'warning'>();
  for (const { line, severity } of problems) {
    if (severity !== 'info' && worst.get(line) !== 'error') worst.set(line, severity);
  }
  return [...worst].map(([line, severity]) => ({
    range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 },
    // Not in the glyph margin: a glyph there would move the light bulb onto the text.
    options: { linesDecorationsClassName: `problem-glyph problem-glyph-${severity}` },
  }));
}
