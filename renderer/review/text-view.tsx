import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProposedFile } from '../../shared/model/proposal.ts';
import { toShownLine, toShownLines } from '../../shared/text/shown-lines.ts';
import { WEBGAL } from '../state/monaco/webgal-id.ts';
import { isScene } from '../state/project/file-kinds.ts';
import { hunkPlace } from '../state/review/review-reducer.ts';
import { reviewStore, useReview } from '../state/review/review-store.ts';
import { Message } from '../ui/message.tsx';
import { fileName } from '../ui/text/file-name.ts';
import { toRunWords } from '../ui/text/run-words.ts';
import { TextDiff, type TextDiffProps } from '../ui/text-diff.tsx';
import { PieceEditor } from './pieces/piece-editor.tsx';
import { usePieceMarks } from './pieces/use-piece-marks.ts';
import { StepHeading } from './steps/step-heading.tsx';
import { useStepGroups } from './steps/use-step-groups.ts';
import classes from './text-view.module.css';
import { useCurrentText } from './use-current-text.ts';

type OnEditor = NonNullable<TextDiffProps['onEditor']>;
type DiffEditor = Parameters<OnEditor>[0];

interface TextViewProps {
  /** With the edits of the user. */
  file: ProposedFile;
  /** As the assistant proposes it. */
  proposed: ProposedFile;
  /** True if the file changed meanwhile; the left side shows its current text. */
  hasConflict: boolean;
}

/** The proposal as a text diff: current text and proposed text. */
export function TextView({ file, proposed, hasConflict }: TextViewProps) {
  const { t } = useTranslation('review');
  const mine = useCurrentText(hasConflict ? file.path : null);
  const [editor, setEditor] = useState<DiffEditor>(null);
  const jumps = useReview((state) => state.jumps);
  const onEditor = useCallback<OnEditor>((diff) => setEditor(diff), []);
  const shown = useMemo(() => toShownLines(file.after ?? '', toRunWords(t)), [file.after, t]);
  const editing = useReview((state) => (state.editing?.path === file.path ? state.editing : null));
  const number = useReview((state) => (state.editing ? hunkPlace({ ...state, ...state.editing }).number : 0));
  const current = useReview((state) => state.hunk);
  const group = useStepGroups()?.of(file.path, current);
  usePieceMarks(editor, { file, shown, hint: t('piece.mark') });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of a jump is a trigger
  useEffect(() => {
    if (!editor) return;
    const { line, hunk } = reviewStore.getState();
    const target = toShownLine(shown, line ?? file.hunks[hunk]?.startNew ?? 1);
    // The only line of a deleted file's new text stands below all that is removed.
    const isDeleted = file.after === null;
    const show = () =>
      isDeleted ? editor.getModifiedEditor().setScrollTop(0) : editor.getModifiedEditor().revealLineInCenter(target);
    // Unchanged lines are hidden only after the diff is computed.
    const listener = editor.onDidUpdateDiff(show);
    show();
    return () => listener.dispose();
  }, [editor, jumps, file.path]);

  if (hasConflict && mine === null) return <Message text={t('common:loading')} />;
  const before = mine ?? file.before ?? '';
  const name = fileName(file.path);
  return (
    <div className={classes.root}>
      {hasConflict && <p className={classes.columns}>{t('text.columns')}</p>}
      {group && (
        <div className={classes.step}>
          <StepHeading group={group} />
        </div>
      )}
      {editing && (
        <PieceEditor key={`${editing.hunk}:${proposed.version}`} file={proposed} hunk={editing.hunk} number={number} />
      )}
      <div className={classes.diff}>
        <TextDiff
          before={before}
          after={file.after ?? ''}
          language={isScene(file.path) ? WEBGAL : 'plaintext'}
          label={t(hasConflict ? 'text.labelConflict' : 'text.label', { path: name })}
          sideBySide={hasConflict}
          onEditor={onEditor}
        />
      </div>
    </div>
  );
}
