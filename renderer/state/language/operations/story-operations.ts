import { storyOrder } from '../../../../shared/script/flow/story-order.ts';
import type { SceneSummary } from '../../../../shared/script/story/outline.ts';
import { findStoryLines, type LineHits } from '../../../../shared/script/story/story-lines.ts';
import { describeStory } from '../../../../shared/script/story/story-passages.ts';
import { shorten } from '../../../../shared/text/shorten.ts';
import { type LanguageState, summaryOf } from './language-state.ts';

/** In characters. */
const QUOTED_BEFORE = 16;
const MAX_QUOTED = 160;

/** Operations on scenes and on the story as a whole. */
export function createStoryOperations(state: LanguageState) {
  return {
    /** Counts scenes and words; each wide character counts as one word. */
    measure(_: object): { scenes: number; words: number } {
      let scenes = 0;
      let words = 0;
      for (const scene of state.index.scenes()) {
        scenes += 1;
        words += summaryOf(state, scene)?.words ?? 0;
      }
      return { scenes, words };
    },
    summarize({ path }: { path: string }): SceneSummary | null {
      const scene = state.index.scene(path);
      return (scene && summaryOf(state, scene)) ?? null;
    },
    /**
     * Returns a `DescribedStory` as JSON. The page passes it to the story's worker unparsed, which is much cheaper than
     * copying every object.
     */
    storyJson(_: object): string {
      return JSON.stringify(describeStory(state.index));
    },
    /** Returns the scenes in story order, from start.txt; those that it does not reach come last. */
    order(_: object): string[] {
      const order = new Set(storyOrder(state.index));
      for (const { path } of state.index.scenes()) order.add(path);
      return [...order];
    },
    /** Finds all lines of the story that contain one of the words, which must be lower case. */
    findLines({ words }: { words: readonly string[] }): LineHits[] {
      return findStoryLines(state.index, words);
    },
    /** Returns lines as they are written, from a little before the first of the words on; '' for lines that are not there any more. */
    quoteLines({
      places,
      words,
    }: {
      places: readonly { path: string; line: number }[];
      words: readonly string[];
    }): string[] {
      return places.map(({ path, line }) => quote(state.index.scene(path)?.records[line - 1]?.text ?? '', words));
    },
  };
}

function quote(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - QUOTED_BEFORE);
  // A little beginning is not worth leaving out.
  const start = places.length === 0 || from < QUOTED_BEFORE ? 0 : from;
  return `${start > 0 ? '…' : ''}${shorten(
    text
      .slice(start)
      .toWellFormed()
      .replace(/^\uFFFD/, '')
      .trim(),
    MAX_QUOTED,
  )}`;
}
