import { useEffect, useState } from 'react';
import { language, whenFed } from '../state/language/language.ts';
import { projectStore, useProject } from '../state/project/project-store.ts';
import { type GameFacts, toGameFacts } from './example-requests.ts';

/** Returns scenes and speakers of the open game; null until loaded. */
export function useGameFacts(): GameFacts | null {
  const project = useProject((state) => state.project?.id);
  const [facts, setFacts] = useState<GameFacts | null>(null);
  useEffect(() => {
    if (!project) return;
    let isGone = false;
    // Counted by the language service: reading all scenes here would block the page for as long as the game is large.
    void whenFed()
      .then(() => language().call('findNames', { text: '' }))
      // Without speakers the other requests still apply.
      .catch(() => ({ speakers: [] }))
      .then(({ speakers }) => !isGone && setFacts(toGameFacts(projectStore.getState().files ?? [], speakers)));
    return () => {
      isGone = true;
    };
  }, [project]);
  return facts;
}
