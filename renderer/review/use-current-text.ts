import { useEffect, useState } from 'react';
import { AppError } from '../../shared/errors.ts';
import { api } from '../api.ts';
import { useAppChanges } from '../state/app-changes.ts';
import { notifyError } from '../state/notify.ts';

/** Returns the current text of a file on disk, updated on changes; null until loaded, and without a path. */
export function useCurrentText(path: string | null): string | null {
  const [known, setKnown] = useState<{ path: string; text: string } | null>(null);
  const changes = useAppChanges(({ files }) => (path === null ? 0 : (files.get(path) ?? 0)));
  const connection = useAppChanges((state) => state.connection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the counters trigger a new request
  useEffect(() => {
    if (path === null) return;
    let isGone = false;
    api.call('script.read', { path }).then(
      ({ text }) => isGone || setKnown({ path, text }),
      (error: unknown) => {
        if (isGone) return;
        if (error instanceof AppError && error.code === 'E_NOT_FOUND') setKnown({ path, text: '' });
        else notifyError(error);
      },
    );
    return () => {
      isGone = true;
    };
  }, [path, changes, connection]);
  return known?.path === path ? (known?.text ?? null) : null;
}
