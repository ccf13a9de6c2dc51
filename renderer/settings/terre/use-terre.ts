import { useCallback, useEffect, useState } from 'react';
import type { TerreState } from '../../../shared/model/stage/terre.ts';
import { api } from '../../api.ts';
import { useAppChanges } from '../../state/app-changes.ts';
import { attempt } from '../../state/notify.ts';

/** The user can start and end Terre outside of the app, which reports nothing. */
const ASK_INTERVAL_MS = 3_000;

/** Reads the state of WebGAL Terre while mounted; null until the first answer. `run` performs an action and reads again. */
export function useTerre(): {
  terre: TerreState | null;
  isBusy: boolean;
  run: (action: () => Promise<unknown>) => void;
} {
  const [terre, setTerre] = useState<TerreState | null>(null);
  const [isBusy, setBusy] = useState(false);
  const changes = useAppChanges((state) => state.terre + state.project + state.connection);
  // The page shows by itself that the app cannot be reached.
  const read = useCallback(() => api.call('terre.state', {}).then(setTerre, () => undefined), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` triggers a new request
  useEffect(() => {
    void read();
    const timer = setInterval(read, ASK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [changes, read]);
  const run = useCallback(
    (action: () => Promise<unknown>) => {
      setBusy(true);
      void attempt(action)
        .then(read)
        .finally(() => setBusy(false));
    },
    [read],
  );
  return { terre, isBusy, run };
}
