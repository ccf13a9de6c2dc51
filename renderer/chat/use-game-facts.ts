import { useEffect, useMemo, useState } from 'react';
import { language, whenFed } from '../state/language/language.ts';
import { useProject } from '../state/project/project-store.ts';
import { type GameFacts, type SpeakerLines, toGameFacts } from './example-requests.ts';

const NONE: readonly SpeakerLines[] = [];

/** Returns scenes and speakers of the open game; null until loaded. */
export function useGameFacts(): GameFacts | null {
  const project = useProject((state) => state.project?.id);
  const files = useProject((state) => state.files);
  const [speakers, setSpeakers] = useState<readonly SpeakerLines[] | null>(null);
  useEffect(() => {
    if (!project) return;
    let isGone = false;
    // Counted by the language service: reading all scenes here would block the page for as long as the game is large.
    void whenFed()
      .then(() => language().call('findNames', { text: '' }))
      .then(
        (found) => !isGone && setSpeakers(found.speakers),
        // Without speakers the other requests still apply.
        () => !isGone && setSpeakers(NONE),
      );
    return () => {
      isGone = true;
      setSpeakers(null);
    };
  }, [project]);
  return useMemo(() => files && speakers && toGameFacts(files, speakers), [files, speakers]);
}
