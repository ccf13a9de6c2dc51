import { useCallback, useEffect, useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { ToolChoice } from '../../../shared/model/capability.ts';
import { api } from '../../api.ts';
import { useAppChanges } from '../../state/app-changes.ts';
import { notifyError } from '../../state/notify.ts';

interface KnownTools extends Partial<Output<'tools.list'>> {
  error?: unknown;
}

/** Reads the assistant's tools and permissions, and updates them while mounted. */
export function useToolFacts(): KnownTools & { choose: (tool: string, choice: ToolChoice | null) => void } {
  const [known, setKnown] = useState<KnownTools>({});
  const changes = useAppChanges((state) => state.tools + state.project + state.connection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` triggers a new request
  useEffect(() => {
    let isLatest = true;
    void api.call('tools.list', {}).then(
      (list) => isLatest && setKnown(list),
      (error: unknown) => isLatest && setKnown((before) => (before.tools ? before : { error })),
    );
    return () => {
      isLatest = false;
    };
  }, [changes]);

  const choose = useCallback((tool: string, choice: ToolChoice | null) => {
    // Optimistic update; `settings.changed` corrects it if the app decides otherwise.
    setKnown((before) => ({
      ...before,
      ...(before.tools && { tools: before.tools.map((each) => (each.name === tool ? { ...each, choice } : each)) }),
    }));
    api.call('settings.chooseTool', { tool, choice }).catch(async (error: unknown) => {
      notifyError(error);
      setKnown(await api.call('tools.list', {}).catch(() => ({ error })));
    });
  }, []);
  return { ...known, choose };
}
