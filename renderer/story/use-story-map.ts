import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '../state/documents/editor-store.ts';
import { language, whenFed } from '../state/language/language.ts';
import { useProblems } from '../state/problems/problems-store.ts';
import { readMapWords } from './layout/map-words.ts';
import { storyClient } from './story-client.ts';
import type { Drawn, Place, StoryView } from './story-operations.ts';
import { beginStory, storyStore, useStory } from './story-store.ts';

export interface ShownStory {
  /** Last drawn view; null until known. */
  view: StoryView | null;
  /** Node that contains the cursor line of the editor. */
  here: Drawn | null;
  error: unknown;
  /** True after the user cancelled the layout of a large map. */
  isStopped: boolean;
  setStopped(isStopped: boolean): void;
}

const isAbort = (failure: unknown) => failure instanceof DOMException && failure.name === 'AbortError';

/** Returns the story of the open game, updated with edits. All computation runs in the worker. */
export function useStoryMap(projectId: string | undefined): ShownStory {
  const { t, i18n } = useTranslation('story');
  const [error, setError] = useState<unknown>(null);
  const [isStopped, setStopped] = useState(false);
  // Reloads whenever the language service has checked changed text.
  const checks = useProblems((state) => state.checks);
  // Counts the stories that the worker loaded.
  const [revision, setRevision] = useState(0);
  const [here, setHere] = useState<Drawn | null>(null);
  const words = useMemo(() => readMapWords(t, i18n.language), [t, i18n.language]);
  const detail = useStory((state) => state.detail);
  const open = useStory((state) => state.open);
  const view = useStory((state) => (state.projectId === projectId ? state.view : null));
  const place = useEditor(({ active, cursor }) => (active ? `${cursor?.line ?? 1} ${active}` : ''));
  const latestPlace = useRef(place);
  latestPlace.current = place;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a check signals changed text
  useEffect(() => {
    let isWanted = true;
    beginStory(projectId);
    const read = async () => {
      await whenFed();
      const json = await language().call('storyJson', {});
      if (!isWanted) return;
      const client = storyClient();
      const before = client.taken();
      const isSame = before?.json === json && before.projectId === projectId && before.words.locale === words.locale;
      if (!isSame) await client.take({ projectId, json, words });
      if (isWanted && storyStore.getState().drawn !== client.taken()) setRevision((count) => count + 1);
    };
    read().catch((failure: unknown) => isWanted && !isAbort(failure) && setError(failure));
    return () => {
      isWanted = false;
    };
  }, [checks, projectId, words]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is a trigger
  useEffect(() => {
    if (isStopped || storyClient().taken()?.projectId !== projectId || (revision === 0 && isDrawn(detail, open)))
      return;
    let isWanted = true;
    const drawn = storyClient().taken();
    storyClient()
      .call('draw', { detail, open, place: toPlace(latestPlace.current) })
      .then(
        (next) => {
          if (!isWanted) return;
          storyStore.setState({ view: next, drawn, open: next.open.map(({ id }) => id) });
          setError(null);
        },
        (failure: unknown) => isWanted && !isAbort(failure) && setError(failure),
      );
    return () => {
      isWanted = false;
    };
  }, [revision, detail, open?.join('\n'), isStopped, projectId]);

  useEffect(() => {
    let isWanted = true;
    const at = toPlace(place);
    if (at === null || view === null || isStopped) setHere(null);
    else {
      storyClient()
        .call('locate', at)
        .then(
          (found) => isWanted && setHere(found),
          () => undefined,
        );
    }
    return () => {
      isWanted = false;
    };
  }, [place, view, isStopped]);

  return { ...{ view, here, error, isStopped }, setStopped: (next) => setStopped(stopWork(next)) };
}

/** Ends what the worker does, if that is wanted. Returns whether it is. */
function stopWork(isWanted: boolean): boolean {
  if (isWanted) storyClient().stop();
  return isWanted;
}

/** True if the stored view equals the requested one. */
function isDrawn(detail: StoryView['detail'] | null, open: readonly string[] | null): boolean {
  const { view } = storyStore.getState();
  if (view === null || (detail !== null && detail !== view.detail)) return false;
  return open !== null && open.join('\n') === view.open.map(({ id }) => id).join('\n');
}

function toPlace(place: string): Place | null {
  const [line = '', ...path] = place.split(' ');
  return place === '' ? null : { path: path.join(' '), line: Number(line) };
}
