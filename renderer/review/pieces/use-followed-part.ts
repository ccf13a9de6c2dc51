import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { checkPart } from '../../state/review/part-check.ts';
import { useReview } from '../../state/review/review-store.ts';
import { useStage } from '../../state/stage/stage-store.ts';
import { playTickedPart } from '../../workflows/play-change.ts';

/** Debounce of ticks, for a user who ticks several changes in a row. */
const FOLLOW_DELAY_MS = 120;
/** Debounce of the check of the whole game, which takes long in a big one. */
const GAME_DELAY_MS = 800;

/** While the review is shown, checks the ticked part after each tick, and lets a stage that plays the proposal follow. */
export function useFollowedPart(): void {
  const { language } = useTranslation().i18n;
  const proposal = useReview((state) => state.proposal);
  const left = useReview((state) => state.left);
  const edits = useReview((state) => state.edits);
  const isPlayed = useStage(({ stage }) => stage.place?.source === 'proposal');
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what is checked
  useEffect(() => {
    // Without a check the review shows the problems of the whole proposal.
    const check = (scope: 'files' | 'game') => void checkPart(scope).catch(() => undefined);
    const timers = [setTimeout(check, FOLLOW_DELAY_MS, 'files'), setTimeout(check, GAME_DELAY_MS, 'game')];
    return () => timers.forEach(clearTimeout);
  }, [proposal, left, edits, language]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what is played
  useEffect(() => {
    if (!isPlayed) return;
    const timer = setTimeout(() => void playTickedPart().catch(() => undefined), FOLLOW_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isPlayed, proposal, left, edits]);
}
