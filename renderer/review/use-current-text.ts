import { useEffect, useState } from 'react';
import { AppError } from '../../shared/errors.ts';
import { api } from '../api.ts';
import { notifyError } from '../state/notify.ts';

/** Returns the current text of a file on disk, updated on changes; null until loaded, and without a path. */
export function useCurrentText(path: string | null): string | null {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    setText(null);
    if (path === null) return;
    let isGone = false;
    const read = async () => {
      try {
        const file = await api.call('script.read', { path });
        if (!isGone) setText(file.text);
      } catch (error) {
        if (isGone) return;
        if (error instanceof AppError && error.code === 'E_NOT_FOUND') setText('');
        else notifyError(error);
      }
    };
    void read();
    const stop = api.on('project.filesChanged', ({ paths }) => {
      if (paths.includes(path)) void read();
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [path]);
  return text;
}
