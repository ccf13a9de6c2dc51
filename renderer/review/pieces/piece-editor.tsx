import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProposedFile } from '../../../shared/model/proposal.ts';
import { toEditableText, toEditedLines } from '../../../shared/text/pieces.ts';
import { editPiece, stopEditing } from '../../state/review/review-reducer.ts';
import { changeReview, reviewStore } from '../../state/review/review-store.ts';
import classes from './piece-editor.module.css';

/** Debounce of the typed text: the views and the check of the problems follow it. */
const KEEP_DELAY_MS = 300;

interface PieceEditorProps {
  /** The file as the assistant proposes it. */
  file: ProposedFile;
  hunk: number;
  /** Number of the change in the proposal, 1-based. */
  number: number;
}

/** The proposed lines of a change as a text field. What is typed counts at once; nothing needs to be saved. */
export function PieceEditor({ file, hunk, number }: PieceEditorProps) {
  const { t } = useTranslation('review');
  const { path } = file;
  const proposed = toEditableText(file.hunks[hunk]?.linesNew ?? []);
  const [text, setText] = useState(() => {
    const own = reviewStore.getState().edits.get(path)?.get(hunk);
    return own === undefined ? proposed : toEditableText(own);
  });
  const keep = useKept(file, hunk);
  const close = () => {
    keep.now();
    changeReview(stopEditing);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    close();
  };
  return (
    <form
      className={classes.root}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <Textarea
        aria-label={t('piece.text', { number })}
        description={t('piece.editHint')}
        inputWrapperOrder={['input', 'description']}
        classNames={{ input: classes.input ?? '' }}
        autosize
        minRows={2}
        maxRows={14}
        spellCheck={false}
        value={text}
        ref={focusOnce}
        onChange={(event) => {
          setText(event.currentTarget.value);
          keep.later(event.currentTarget.value);
        }}
      />
      <div className={classes.actions}>
        <Button type="submit" size="compact-sm">
          {t('piece.done')}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          disabled={text === proposed}
          onClick={() => {
            setText(proposed);
            keep.later(proposed);
          }}
        >
          {t('piece.restore')}
        </Button>
      </div>
    </form>
  );
}

/** Stores the typed text, debounced, and at the latest when the field closes. */
function useKept(file: ProposedFile, hunk: number): { later(text: string): void; now(): void } {
  const pending = useRef<{ text: string; timer: ReturnType<typeof setTimeout> } | null>(null);
  const now = () => {
    const typed = pending.current;
    pending.current = null;
    const change = file.hunks[hunk];
    if (!typed || !change) return;
    clearTimeout(typed.timer);
    changeReview((state) => {
      const { editing } = state;
      const isSame = state.proposal?.files.some(({ path, version }) => path === file.path && version === file.version);
      if (!isSame) return state;
      const lines = toEditedLines(file, change, typed.text);
      return { ...editPiece(state, { path: file.path, hunk }, lines), editing };
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the field closes
  useEffect(() => now, []);
  return {
    now,
    later(text) {
      clearTimeout(pending.current?.timer);
      pending.current = { text, timer: setTimeout(now, KEEP_DELAY_MS) };
    },
  };
}

const focused = new WeakSet<HTMLElement>();

/** Focuses the field when it first mounts, because the user opened it. */
function focusOnce(element: HTMLTextAreaElement | null): void {
  if (!element || focused.has(element)) return;
  focused.add(element);
  element.focus();
}
