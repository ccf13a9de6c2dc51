import type { editor } from 'monaco-editor/editor';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useMarkedLines } from '../state/marked-lines.ts';
import { modelOf } from '../state/monaco/models.ts';
import { useStage } from '../state/stage/stage-store.ts';
import { useUnplayedLines } from './unplayed/use-unplayed-lines.ts';
import { useMarks } from './use-markers.ts';

/**
 * Marks lines of the open file: those that the checker fades, the one on the stage, those that the assistant points at, and those that
 * were never played.
 */
export function useLineMarks(path: string | null, isLoaded: boolean): void {
  useMarks(path, isLoaded);
  usePlayingLine(path, isLoaded);
  usePointedLines(path, isLoaded);
  useUnplayedLines(path, isLoaded);
}

/** Marks the line that the stage shows, if it plays the text of the open file and not a proposal for it. */
function usePlayingLine(path: string | null, isLoaded: boolean): void {
  const { t } = useTranslation('editor');
  const line = useStage(({ stage: { shown, place, status } }) =>
    status === 'ready' && place?.source !== 'proposal' && shown?.scene === path ? shown.line : 0,
  );
  useDecoration(path, isLoaded, line, line, {
    isWholeLine: true,
    className: 'script-playing',
    // Of a line that wraps, one row has it.
    firstLineDecorationClassName: 'script-playing-sign',
    linesDecorationsTooltip: t('playingLine'),
    // The mark stays at its line while the text is edited; the stage then reports the new one.
    stickiness: 1,
  });
}

/** Marks the lines that the assistant points at. */
function usePointedLines(path: string | null, isLoaded: boolean): void {
  const marked = useMarkedLines();
  const isHere = marked !== null && marked.path === path;
  useDecoration(path, isLoaded, isHere ? marked.from : 0, isHere ? marked.to : 0, {
    isWholeLine: true,
    className: 'script-pointed',
  });
}

function useDecoration(
  path: string | null,
  isLoaded: boolean,
  from: number,
  to: number,
  options: editor.IModelDecorationOptions,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options are constant but for the language
  useEffect(() => {
    const model = path && isLoaded ? modelOf(path) : undefined;
    if (!model || from < 1 || from > model.getLineCount()) return;
    const range = {
      startLineNumber: from,
      startColumn: 1,
      endLineNumber: Math.min(to, model.getLineCount()),
      endColumn: 1,
    };
    const ids = model.deltaDecorations([], [{ range, options }]);
    return () => {
      if (!model.isDisposed()) model.deltaDecorations(ids, []);
    };
  }, [path, isLoaded, from, to]);
}
