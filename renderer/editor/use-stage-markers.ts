import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Diagnostic } from '../../shared/model/diagnostic.ts';
import { modelOf } from '../state/monaco/models.ts';
import type { Monaco } from '../state/monaco/monaco.ts';
import { toProblemSentence } from '../state/stage/problem-sentence.ts';
import { useStage } from '../state/stage/stage-store.ts';

const OWNER = 'stage';

interface OpenScene {
  path: string | null;
  isLoaded: boolean;
  /** What the check found in it: a line with an error has its glyph already. */
  problems: readonly Diagnostic[];
}

/** Marks the lines of the open file that went wrong on the stage, if it plays this text and not a proposal for it. */
export function useStageMarkers(monaco: Monaco | undefined, { path, isLoaded, problems: found }: OpenScene): void {
  const { t } = useTranslation('stage');
  const problems = useStage(({ stage }) => (stage.place?.source === 'proposal' ? null : stage.problems));
  useEffect(() => {
    const model = path && isLoaded ? modelOf(path) : undefined;
    if (!monaco || !model) return;
    const here = (problems ?? []).flatMap((problem) =>
      problem.place?.path === path && problem.place.line <= model.getLineCount()
        ? [{ line: problem.place.line, sentence: toProblemSentence(problem, t) }]
        : [],
    );
    monaco.editor.setModelMarkers(
      model,
      OWNER,
      here.map(({ line, sentence }) => ({
        severity: monaco.MarkerSeverity.Warning,
        message: sentence,
        startLineNumber: line,
        startColumn: model.getLineFirstNonWhitespaceColumn(line) || 1,
        endLineNumber: line,
        endColumn: model.getLineMaxColumn(line),
      })),
    );
    const errors = new Set(found.flatMap(({ line, severity }) => (severity === 'error' ? [line] : [])));
    const hasOwnGlyph = ({ line }: { line: number }) => !errors.has(line);
    const glyphs = model.deltaDecorations(
      [],
      here.filter(hasOwnGlyph).map(({ line }) => ({
        range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 },
        options: { linesDecorationsClassName: 'problem-glyph problem-glyph-warning' },
      })),
    );
    return () => {
      if (model.isDisposed()) return;
      model.deltaDecorations(glyphs, []);
      monaco.editor.setModelMarkers(model, OWNER, []);
    };
  }, [monaco, path, isLoaded, problems, found, t]);
}
