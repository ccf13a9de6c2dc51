import { useEffect, useState } from 'react';
import { api } from '../api.ts';
import { useProject } from '../state/project/project-store.ts';
import { speakersOf } from '../state/review/story-beats.ts';
import { type GameFacts, toGameFacts } from './example-requests.ts';

/** Returns scenes and speakers of the open game; null until loaded. */
export function useGameFacts(): GameFacts | null {
  const project = useProject((state) => state.project?.id);
  const [facts, setFacts] = useState<GameFacts | null>(null);
  useEffect(() => {
    if (!project) return;
    let isGone = false;
    api
      .call('project.scenes', {})
      .then(({ scenes }) => {
        if (!isGone) setFacts(toGameFacts(scenes, speakersOf));
      })
      // Without scenes the generic requests still apply.
      .catch(() => !isGone && setFacts({ scenes: [], speakers: [] }));
    return () => {
      isGone = true;
    };
  }, [project]);
  return facts;
}
