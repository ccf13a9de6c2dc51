import { useEffect } from 'react';
import type { ProposedFile } from '../../../shared/model/proposal.ts';
import { type ShownLines, toShownLine } from '../../../shared/text/shown-lines.ts';
import { isTicked } from '../../state/review/piece-choices.ts';
import { goToHunk, hasPieces, togglePiece } from '../../state/review/review-reducer.ts';
import { changeReview, reviewStore, useReview } from '../../state/review/review-store.ts';
import type { TextDiffProps } from '../../ui/text-diff.tsx';
import classes from './piece-marks.module.css';

type DiffEditor = Parameters<NonNullable<TextDiffProps['onEditor']>>[0];

/** A file with the edits of the user, its lines as the editor shows them, and the words for the marks. */
interface MarkedFile {
  file: ProposedFile;
  shown: ShownLines;
  hint: string;
}

/**
 * Marks each change of a comparison with a checkbox beside its first line, and fades the lines of those that are left out. The marks
 * are for the mouse: the bar above has the checkbox of the current change.
 */
export function usePieceMarks(editor: DiffEditor, { file, shown, hint }: MarkedFile): void {
  const left = useReview((state) => state.left.get(file.path));
  const current = useReview((state) => state.hunk);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the marks are drawn from the ticks
  useEffect(() => {
    if (!editor || !hasPieces(reviewStore.getState())) return;
    editor.updateOptions({ glyphMargin: true });
    const modified = editor.getModifiedEditor();
    const marks = modified.createDecorationsCollection();
    /** The hunk of each marked line. */
    const hunks = new Map<number, number>();
    const draw = () => {
      hunks.clear();
      marks.set(toMarks({ file, shown, hint }, current, hunks));
    };
    // The texts are set after the editor was created.
    const updated = editor.onDidUpdateDiff(draw);
    draw();
    const clicked = modified.onMouseDown(({ target }) => {
      const hunk = hunks.get(target.position?.lineNumber ?? 0);
      if (hunk === undefined || !target.element?.classList.contains(classes.tick ?? '')) return;
      changeReview((state) => togglePiece(goToHunk(state, hunk), { path: file.path, hunk }));
    });
    return () => {
      updated.dispose();
      clicked.dispose();
      marks.clear();
    };
  }, [editor, file, shown, hint, left, current]);
}

function toMarks({ file, shown, hint }: MarkedFile, current: number, hunks: Map<number, number>) {
  const state = reviewStore.getState();
  return file.hunks.flatMap(({ startNew, lenNew }, hunk) => {
    const first = toShownLine(shown, startNew);
    const last = lenNew === 0 ? first : toShownLine(shown, startNew + lenNew - 1);
    const isTaken = isTicked(state, file.path, hunk);
    hunks.set(first, hunk);
    const names = [classes.tick, isTaken && classes.taken, hunk === current && classes.current];
    const glyph = {
      range: { startLineNumber: first, startColumn: 1, endLineNumber: first, endColumn: 1 },
      options: { glyphMarginClassName: names.filter(Boolean).join(' '), glyphMarginHoverMessage: { value: hint } },
    };
    if (isTaken || lenNew === 0) return [glyph];
    const lines = { startLineNumber: first, startColumn: 1, endLineNumber: last, endColumn: 1 };
    return [
      glyph,
      {
        range: lines,
        options: { isWholeLine: true, inlineClassName: classes.left ?? '', className: classes.leftLine ?? '' },
      },
    ];
  });
}
