import { useEffect, useRef, useState } from 'react';
import { toStoryWords } from '../../shared/script/story/story-lines.ts';
import { language } from '../state/language/language.ts';
import { storyClient } from './story-client.ts';
import type { StoryView } from './story-operations.ts';
import { revealBox, type StoryQuery, storyStore } from './story-store.ts';

export interface FoundStory {
  /** Number of matching nodes and lines; null without a search or until known. */
  found: { boxes: number; lines: number; search: string } | null;
  /** Line to open, by drawn node; null for the first line of the node. */
  highlights: ReadonlyMap<string, number | null>;
  /** Id of the shown match. */
  focused: string | null;
}

export const isSearch = ({ text, mark }: StoryQuery): boolean => text.trim() !== '' || mark !== null;

/** Returns the index of the match that `turn` shows. */
export const toMatchIndex = (turn: number, matches: number): number => ((turn % matches) + matches) % matches;

/** Debounce time of the search input. */
const DEBOUNCE_MS = 120;
const NO_HIGHLIGHTS: ReadonlyMap<string, number | null> = new Map();

/** Searches the text of all scenes, including unsaved changes, and navigates to the current match. */
export function useStorySearch(view: StoryView | null, query: StoryQuery): FoundStory {
  const { text, mark, turn } = query;
  const [found, setFound] = useState<FoundStory['found']>(null);
  const [highlights, setHighlights] = useState(NO_HIGHLIGHTS);
  const [focused, setFocused] = useState<string | null>(null);
  const opened = useRef<string | null>(null);
  const isSearching = isSearch(query);

  useEffect(() => {
    if (view === null || !isSearching) {
      setFound(null);
      setHighlights(NO_HIGHLIGHTS);
      setFocused(null);
      return;
    }
    let isWanted = true;
    const search = async () => {
      const words = toStoryWords(text);
      const hits = words.length === 0 ? [] : await language().call('findLines', { words });
      if (!isWanted) return;
      const counts = await storyClient().call('find', { text, mark, hits });
      const boxes = await storyClient().call('highlights', {});
      if (!isWanted) return;
      setFound((before) => {
        const next = { ...counts, search: JSON.stringify([view.detail, text, mark]) };
        const isSame = before?.search === next.search && before.boxes === next.boxes && before.lines === next.lines;
        return isSame ? before : next;
      });
      setHighlights(new Map(boxes.map(({ box, line }) => [box, line])));
    };
    // A cancelled or failed search has no matches; the map reports the failure.
    const timer = setTimeout(() => void search().catch(() => undefined), DEBOUNCE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [view, text, mark, isSearching]);

  useEffect(() => {
    if (found === null || found.boxes === 0) {
      setFocused(null);
      return;
    }
    let isWanted = true;
    const at = toMatchIndex(turn, found.boxes);
    void storyClient()
      .call('match', { at })
      .then(
        (match) => {
          if (!isWanted || match === null) return;
          setFocused(match.id);
          const wasOpen = storyStore.getState().open?.includes(match.chapter ?? '') ?? false;
          revealBox(match.id, match.chapter, opened.current);
          // Only a chapter that the search opened is folded at the next match.
          if (!wasOpen) opened.current = match.chapter;
        },
        () => undefined,
      );
    return () => {
      isWanted = false;
    };
  }, [found, turn]);

  return { found, highlights, focused };
}
