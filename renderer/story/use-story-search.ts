import { useEffect, useRef, useState } from 'react';
import { language } from '../language/language.ts';
import { toWords } from './find-in-story.ts';
import type { Mark } from './layout/story-map.ts';
import { storyClient } from './story-client.ts';
import type { StoryView } from './story-desk.ts';
import { revealBox, storyStore } from './story-store.ts';

export interface FoundStory {
  /** How many boxes and lines were found; null while nothing is searched or not yet known. */
  found: { boxes: number; lines: number; search: string } | null;
  /** By drawn box where to open it; null for its own line. */
  highlights: ReadonlyMap<string, number | null>;
  /** The match that is shown. */
  focused: string | null;
}

/** So long typing must pause before the whole story is searched, in milliseconds. */
const PAUSE = 120;
const NOTHING: ReadonlyMap<string, number | null> = new Map();

/** Searches the text of all scenes, unsaved words included, and goes to the match whose turn it is. */
export function useStorySearch(
  view: StoryView | null,
  { text, mark, turn }: { text: string; mark: Mark | null; turn: number },
): FoundStory {
  const [found, setFound] = useState<FoundStory['found']>(null);
  const [highlights, setHighlights] = useState(NOTHING);
  const [focused, setFocused] = useState<string | null>(null);
  const opened = useRef<string | null>(null);
  const isSearching = text.trim() !== '' || mark !== null;

  useEffect(() => {
    if (view === null || !isSearching) {
      setFound(null);
      setHighlights(NOTHING);
      setFocused(null);
      return;
    }
    let isWanted = true;
    const search = async () => {
      const words = toWords(text);
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
    // A search that is stopped or fails finds nothing; the map says what failed.
    const timer = setTimeout(() => void search().catch(() => undefined), PAUSE);
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
    const at = ((turn % found.boxes) + found.boxes) % found.boxes;
    void storyClient()
      .call('match', { at })
      .then(
        (match) => {
          if (!isWanted || match === null) return;
          setFocused(match.id);
          const wasOpen = storyStore.getState().open?.includes(match.chapter ?? '') ?? false;
          revealBox(match.id, match.chapter, opened.current);
          // Only what the search itself opened is folded when it goes on.
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
