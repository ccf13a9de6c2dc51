import type { TFunction } from 'i18next';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { language, whenFed } from '../language/language.ts';
import { useProblems } from '../problems/problems-store.ts';
import { placeStory } from './place-story.ts';
import type { PlacedMap } from './placed-map.ts';
import { type Detail, type MapWording, type Story, type StoryMap, toStoryMap } from './story-map.ts';

export interface ShownStory {
  detail: Detail;
  story: Story | null;
  map: StoryMap | null;
  /** The map with its places; null until known. */
  placed: PlacedMap | null;
  error: unknown;
  /** True while she has stopped the drawing of a large map. */
  isStopped: boolean;
  setStopped(isStopped: boolean): void;
}

function toWording(t: TFunction<'story'>, locale: string): MapWording {
  const number = new Intl.NumberFormat(locale);
  return {
    words: (count) => t('words', { count, formatted: number.format(count) }),
    lines: (count) => t('lines', { count, formatted: number.format(count) }),
    minutes: (count) => t('minutes', { count, formatted: number.format(count) }),
    call: t('call'),
    condition: (condition) => t('condition', { condition }),
    mark: (mark) => t(`mark.${mark}`),
  };
}

/** A story with no more passages than this is shown by passage: its choices are often within one scene. */
const FEW_PASSAGES = 40;

/** The open game's story, kept up with what is written; `wanted` is the detail she chose. */
export function useStoryMap(wanted: Detail | null): ShownStory {
  const { t, i18n } = useTranslation('story');
  const [story, setStory] = useState<Story | null>(null);
  const [placed, setPlaced] = useState<PlacedMap | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isStopped, setStopped] = useState(false);
  const known = useRef('');
  // Found anew whenever the language service has looked at changed text.
  const looks = useProblems((state) => state.looks);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a look is the sign that the text has changed
  useEffect(() => {
    let isWanted = true;
    const read = async () => {
      await whenFed();
      const next = await language().call('storyGraph', {});
      if (!isWanted) return;
      // What is the same stays the same, so that nothing moves under her hand.
      const print = JSON.stringify(next);
      if (print !== known.current) setStory(next);
      known.current = print;
      setError(null);
    };
    read().catch((failure: unknown) => isWanted && setError(failure));
    return () => {
      isWanted = false;
    };
  }, [looks]);

  const detail = wanted ?? (story && story.graph.nodes.length > FEW_PASSAGES ? 'scenes' : 'passages');
  const map = useMemo(
    () => story && toStoryMap(story, detail, toWording(t, i18n.language)),
    [story, detail, t, i18n.language],
  );

  useEffect(() => {
    if (!map || isStopped) return;
    const stop = new AbortController();
    placeStory(map, stop.signal).then(
      (next) => {
        setPlaced(next);
        setError(null);
      },
      (failure: unknown) => setError(failure),
    );
    return () => stop.abort();
  }, [map, isStopped]);

  return { detail, story, map, placed, error, isStopped, setStopped };
}
