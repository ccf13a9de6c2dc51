import type { Viewport } from '@xyflow/react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Detail } from './layout/story-map.ts';
import type { StoryView } from './story-desk.ts';

export interface StoryState {
  /** Which game the rest is about. */
  projectId: string | undefined;
  /** The map last drawn, kept while another view is open. */
  view: StoryView | null;
  /** The open chapters, the one opened last at the end; null until known. */
  open: readonly string[] | null;
  /** The box to go to as soon as its chapter is open. */
  goal: { id: string; chapter: string | null } | null;
  /** Null until chosen: what suits the length of the story. */
  detail: Detail | null;
  shape: 'map' | 'list';
  /** The part of the map in sight: of which game and detail, so that coming back from a line leads there again. */
  place: { key: string; viewport: Viewport } | null;
  /** The box chosen last, by click or key; it stays chosen while the user writes elsewhere. */
  chosen: string | null;
  /** The box under the pointer. */
  pointed: string | null;
}

const OF_GAME = { view: null, open: null, goal: null, chosen: null, pointed: null } as const;

/** How the user looks at the story map; lasts as long as the page. */
export const storyStore = createStore<StoryState>(() => ({
  ...OF_GAME,
  projectId: undefined,
  detail: null,
  shape: 'map',
  place: null,
}));

export function useStory<T>(select: (state: StoryState) => T): T {
  return useStore(storyStore, select);
}

/** Forgets the map of another game. */
export function beginStory(projectId: string | undefined): void {
  if (storyStore.getState().projectId !== projectId) storyStore.setState({ ...OF_GAME, projectId });
}

/** Goes to a box, in whichever chapter it is. `closing` is a chapter that was only opened on the way. */
export function revealBox(id: string, chapter: string | null, closing: string | null = null): void {
  storyStore.setState(({ open }) => {
    const known = open ?? [];
    const goal = { id, chapter };
    if (chapter === null || known.includes(chapter)) return { goal };
    return { goal, open: [...known.filter((one) => one !== closing), chapter] };
  });
}

/** Folds one chapter with all that is open in it, or every chapter. */
export function foldChapters(chapter: string | null): void {
  storyStore.setState(({ open, view }) => {
    if (chapter === null) return { open: [] };
    const parents = new Map(view?.open.map(({ id, parent }) => [id, parent]));
    const isWithin = (id: string | null | undefined): boolean =>
      id != null && (id === chapter || isWithin(parents.get(id)));
    return { open: (open ?? []).filter((id) => !isWithin(id)), goal: { id: chapter, chapter: null } };
  });
}

/** The box whose ways are shown. */
export const toActive = ({ pointed, chosen }: Pick<StoryState, 'pointed' | 'chosen'>) => pointed ?? chosen;
