import type { Viewport } from '@xyflow/react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Detail, Mark } from './layout/story-map.ts';
import type { TakenStory } from './story-client.ts';
import type { StoryView } from './story-operations.ts';

/** What is searched for, and which match is shown: `turn` counts from the first one and may be negative. */
export interface StoryQuery {
  text: string;
  mark: Mark | null;
  turn: number;
}

export interface StoryState {
  /** Id of the game that the state belongs to. */
  projectId: string | undefined;
  /** Last drawn map, kept while another view is open. */
  view: StoryView | null;
  /** What `view` was drawn from: the worker may have loaded another since, while no map was shown. */
  drawn: TakenStory | null;
  /** Open chapters, most recent last; null until known. */
  open: readonly string[] | null;
  /** Node to navigate to as soon as its chapter is open. */
  goal: { id: string; chapter: string | null } | null;
  /** Null until selected: the length of the story determines the detail. */
  detail: Detail | null;
  shape: 'map' | 'list';
  /** Viewport with its key of game and detail, to restore it when the map opens again. */
  place: { key: string; viewport: Viewport } | null;
  /** Node selected last by click or key; stays selected while the focus is elsewhere. */
  chosen: string | null;
  /** Node under the pointer. */
  pointed: string | null;
  query: StoryQuery;
  /** The found line that was opened last, by its row, and the key of its search: the list is there again when it is shown again. */
  opened: { search: string; row: number } | null;
}

const INITIAL_GAME_STATE = {
  ...{ view: null, drawn: null, open: null, goal: null, chosen: null, pointed: null, opened: null },
  query: { text: '', mark: null, turn: 0 },
} satisfies Partial<StoryState>;

/** View state of the story map; lasts as long as the page. */
export const storyStore = createStore<StoryState>(() => ({
  ...INITIAL_GAME_STATE,
  projectId: undefined,
  detail: null,
  shape: 'map',
  place: null,
}));

export function useStory<T>(select: (state: StoryState) => T): T {
  return useStore(storyStore, select);
}

/** Resets the state if it belongs to another game. */
export function beginStory(projectId: string | undefined): void {
  if (storyStore.getState().projectId !== projectId) storyStore.setState({ ...INITIAL_GAME_STATE, projectId });
}

export const setStoryQuery = (query: StoryQuery): void => storyStore.setState({ query });

/** Navigates to a node and opens its chapter. `closing` is a chapter to fold because only the search opened it. */
export function revealBox(id: string, chapter: string | null, closing: string | null = null): void {
  storyStore.setState(({ open }) => {
    const known = open ?? [];
    const goal = { id, chapter };
    if (chapter === null || known.includes(chapter)) return { goal };
    return { goal, open: [...known.filter((one) => one !== closing), chapter] };
  });
}

/** Folds one chapter with its nested chapters, or every chapter, and navigates to what is left of it, or of the one around the selected node. */
export function foldChapters(chapter: string | null): void {
  storyStore.setState(({ open, view, chosen }) => {
    const parents = new Map(view?.open.map(({ id, parent }) => [id, parent]));
    if (chapter === null) {
      let top = view?.placed.nodes.find(({ id }) => id === chosen)?.chapter ?? view?.open[0]?.id;
      for (let next = top; next != null; next = parents.get(next) ?? undefined) top = next;
      return { open: [], ...(top !== undefined && { goal: { id: top, chapter: null } }) };
    }
    const isWithin = (id: string | null | undefined): boolean =>
      id != null && (id === chapter || isWithin(parents.get(id)));
    return { open: (open ?? []).filter((id) => !isWithin(id)), goal: { id: chapter, chapter: null } };
  });
}

/** Returns the node whose edges are highlighted. */
export const toActive = ({ pointed, chosen }: Pick<StoryState, 'pointed' | 'chosen'>) => pointed ?? chosen;
