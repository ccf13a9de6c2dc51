import { useCallback, useEffect, useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { ToolChoice } from '../../../shared/model/capability.ts';
import { api } from '../../api.ts';
import { notifyError } from '../../state/notify.ts';

interface KnownTools extends Partial<Output<'tools.list'>> {
  error?: unknown;
}

/** Reads the assistant's tools and permissions, and updates them while mounted. */
export function useToolFacts(): KnownTools & { choose: (tool: string, choice: ToolChoice | null) => void } {
  const [known, setKnown] = useState<KnownTools>({});
  useEffect(() => {
    let isShown = true;
    const read = () =>
      void api.call('tools.list', {}).then(
        (list) => isShown && setKnown(list),
        (error: unknown) => isShown && setKnown((before) => (before.tools ? before : { error })),
      );
    const stops = [api.on('settings.changed', read), api.on('tools.changed', read), api.on('project.changed', read)];
    // The policy is a file that other programs can change, so read again when the window gets the focus.
    window.addEventListener('focus', read);
    read();
    return () => {
      isShown = false;
      for (const stop of stops) stop();
      window.removeEventListener('focus', read);
    };
  }, []);

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
