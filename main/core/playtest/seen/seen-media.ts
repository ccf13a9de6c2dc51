import type { SeenMedia } from '../../../../shared/model/playtest/seen-media.ts';

/** A game of which this many pictures and sounds are empty, and none is whole, is a copy for its text: nothing is said of them. */
const MADE_LIGHT = 5;

/** Adds what an earlier part of a run has seen. */
export function mergeMedia(media: SeenMedia, earlier: SeenMedia | undefined): SeenMedia {
  if (!earlier) return media;
  return {
    empty: [...new Set([...earlier.empty, ...media.empty])],
    damaged: [...new Set([...earlier.damaged, ...media.damaged])],
    isAnyWhole: earlier.isAnyWhole || media.isAnyWhole,
  };
}

/** Returns the files that no browser can read, and those of which nothing is said, although the engine reports them. */
export function judgeMedia({ empty, damaged, isAnyWhole }: SeenMedia): { unreadable: string[]; untold: Set<string> } {
  const isMadeLight = !isAnyWhole && empty.length >= MADE_LIGHT;
  return isMadeLight
    ? { unreadable: damaged, untold: new Set(empty) }
    : { unreadable: [...damaged, ...empty], untold: new Set() };
}
