import { useCallback, useEffect, useState } from 'react';
import type { ProviderRow } from '../../../shared/model/external/provider-row.ts';
import { api } from '../../api.ts';
import { useAppChanges } from '../../state/app-changes.ts';
import { attempt } from '../../state/notify.ts';

/** Reads the connected services, and again after each change while mounted. `run` performs an action and reads again. */
export function useProviders(): { rows: ProviderRow[]; run: (action: () => Promise<unknown>) => Promise<boolean> } {
  const [rows, setRows] = useState<ProviderRow[]>([]);
  const changes = useAppChanges((state) => state.tools + state.connection);
  const read = useCallback(
    () =>
      api.call('providers.list', {}).then(
        ({ providers }) => setRows(providers),
        // Shown as the missing connection of the whole page.
        () => undefined,
      ),
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` triggers a new request
  useEffect(() => {
    void read();
  }, [changes, read]);
  const run = useCallback(
    async (action: () => Promise<unknown>) => {
      const isDone = await attempt(action);
      await read();
      return isDone;
    },
    [read],
  );
  return { rows, run };
}
