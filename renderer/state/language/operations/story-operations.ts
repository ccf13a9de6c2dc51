import { storyOrder } from '../../../../shared/script/flow/story-order.ts';
import type { SceneSummary } from '../../../../shared/script/story/outline.ts';
import { findStoryLines, type LineHits } from '../../../../shared/script/story/story-lines.ts';
import { describeStory } from '../../../../shared/script/story/story-passages.ts';
import { placeOfWord } from '../../../../shared/text/find-words.ts';
import { shorten } from '../../../../shared/text/shorten.ts';
import { type LanguageState, summaryOf } from './language-state.ts';

/** In characters. */
const QUOTED_BEFORE = 16;
const MAX_QUOTED = 160;

/** A line with the first word that was looked for; `match` is empty where the line does not name its speaker. */
export interface QuotedLine {
  before: string;
  match: string;
  after: string;
  /** Of the match, 1-based. */
  column: number;
}

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
    /** Finds all lines of the story that contain one of the words of `toStoryWords`. */
    findLines({ words }: { words: readonly string[] }): LineHits[] {
      return findStoryLines(state.index, words);
    },
    /** Quotes lines as they are written, from a little before the first of the words on. */
    quoteLines({
      places,
      words,
    }: {
      places: readonly { path: string; line: number }[];
      words: readonly string[];
    }): QuotedLine[] {
      return places.map(({ path, line }) => quote(state.index.scene(path)?.records[line - 1]?.text ?? '', words));
    },
  };
}

function quote(text: string, words: readonly string[]): QuotedLine {
  const places = words.map((word) => placeOfWord(text, word)).filter((place) => place !== null);
  const [at, end] = places.sort(([one], [other]) => one - other)[0] ?? [0, 0];
  const from = at - QUOTED_BEFORE;
  // A little beginning is not worth leaving out.
  const start = from < QUOTED_BEFORE ? 0 : from;
  const toWhole = (part: string) => part.toWellFormed().replace(/^\uFFFD/, '');
  return {
    before: `${start > 0 ? '…' : ''}${toWhole(text.slice(start, at)).trimStart()}`,
    match: text.slice(at, end),
    after: shorten(toWhole(text.slice(end)).trimEnd(), MAX_QUOTED),
    column: at + 1,
  };
}
