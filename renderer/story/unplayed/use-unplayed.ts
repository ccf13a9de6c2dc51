import { useTranslation } from 'react-i18next';
import { toCoverage, usePlaytest } from '../../state/playtest/playtest-store.ts';
import { useSettings } from '../../state/settings-store.ts';
import type { MapNode } from '../layout/story-map.ts';
import { toUnplayedPart } from './unplayed-part.ts';

/** Returns in words what the last playtest did not play of a node, and null for nothing or if the marks are hidden. */
export function useUnplayed({
  path,
  line,
  endLine,
  folded,
}: Pick<MapNode, 'path' | 'line' | 'endLine' | 'folded'>): { part: 'never' | 'partly'; text: string } | null {
  const { t } = useTranslation('story');
  const isShown = useSettings((state) => state.settings.unplayedMarks);
  const part = usePlaytest((state) =>
    isShown && !folded ? toUnplayedPart(toCoverage(state, path), { line, endLine }) : null,
  );
  const isChanged = usePlaytest((state) => part !== null && (state.run?.changed.includes(path) ?? false));
  if (part === null) return null;
  const words = t(`unplayed.${part}`);
  return { part, text: isChanged ? t('unplayed.changed', { part: words }) : words };
}
