import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlayedScene } from '../../../shared/model/playtest/playtest-state.ts';
import { api } from '../../api.ts';
import { modelOf } from '../../state/monaco/models.ts';
import { usePlaytest } from '../../state/playtest/playtest-store.ts';
import { useSettings } from '../../state/settings-store.ts';
import { toUnplayedLines } from './to-unplayed-lines.ts';

/** Debounce of edits; meanwhile the marks move with their lines. */
const MARK_DELAY_MS = 250;

/** Marks the lines of the open file that the last playtest did not play and that have the same text as then. */
export function useUnplayedLines(path: string | null, isLoaded: boolean): void {
  const { t, i18n } = useTranslation('editor');
  const isShown = useSettings((state) => state.settings.unplayedMarks);
  const number = usePlaytest((state) => state.result?.number ?? 0);
  const played = usePlayedScene(isShown && number > 0 ? path : null, number);

  useEffect(() => {
    const model = path && isLoaded && played ? modelOf(path) : undefined;
    if (!model || !played) return;
    const time = new Date(played.at).toLocaleString(i18n.language, { dateStyle: 'short', timeStyle: 'short' });
    const words = t('unplayedLine', { time });
    let ids: string[] = [];
    const mark = () => {
      const lines = toUnplayedLines(played, model.getLinesContent());
      ids = model.deltaDecorations(
        ids,
        lines.map((line) => ({
          range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 },
          options: {
            isWholeLine: true,
            linesDecorationsClassName: 'script-unplayed',
            linesDecorationsTooltip: words,
            hoverMessage: { value: words },
          },
        })),
      );
    };
    mark();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listening = model.onDidChangeContent(() => {
      clearTimeout(timer);
      timer = setTimeout(mark, MARK_DELAY_MS);
    });
    return () => {
      clearTimeout(timer);
      listening.dispose();
      if (!model.isDisposed()) model.deltaDecorations(ids, []);
    };
  }, [path, isLoaded, played, t, i18n.language]);
}

/** Reads what the last playtest did not play of a file; null for nothing. */
function usePlayedScene(path: string | null, number: number): PlayedScene | null {
  const [read, setRead] = useState<{ key: string; scene: PlayedScene | null }>({ key: '', scene: null });
  const key = `${number} ${path}`;
  useEffect(() => {
    if (path === null) return;
    let isWanted = true;
    api.call('playtest.scene', { path }).then(
      ({ scene }) => isWanted && setRead({ key, scene }),
      // Marks are no reason for a message; the next result reads again.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [path, key]);
  return path !== null && read.key === key ? read.scene : null;
}
