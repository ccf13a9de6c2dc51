import { Checkbox, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isTicked } from '../../state/review/piece-choices.ts';
import { countChosen, hasPieces, togglePiece } from '../../state/review/review-reducer.ts';
import { changeReview, useReview } from '../../state/review/review-store.ts';

interface PieceTickProps {
  path: string;
  hunk: number;
  /** Number of the change in the proposal, 1-based. */
  number: number;
}

/** The checkbox of a change; absent if the proposal has only one, which is accepted or not. */
export function PieceTick({ path, hunk, number }: PieceTickProps) {
  const { t } = useTranslation('review');
  const isTaken = useReview((state) => isTicked(state, path, hunk));
  const isShown = useReview(hasPieces);
  if (!isShown) return null;
  return (
    <Checkbox
      size="xs"
      checked={isTaken}
      aria-label={t('piece.take', { number })}
      aria-keyshortcuts="Space"
      onChange={() => changeReview((state) => togglePiece(state, { path, hunk }))}
    />
  );
}

/** Tells screen readers what the last tick changed. */
export function TickAnnouncement() {
  const { t } = useTranslation('review');
  const tick = useReview((state) => state.lastTick);
  const chosen = useReview((state) => countChosen(state).chosen);
  const total = useReview((state) => countChosen(state).total);
  const what =
    tick &&
    (tick.pieces === undefined
      ? t(tick.isTaken ? 'piece.taken' : 'piece.leftOut', { number: tick.number })
      : t(tick.isTaken ? 'steps.taken' : 'steps.leftOut', { count: tick.pieces }));
  return (
    <VisuallyHidden role="status">{what && `${what} ${t('piece.count', { count: chosen, total })}`}</VisuallyHidden>
  );
}
