import type { TFunction } from 'i18next';
import { toVisible } from '../../shared/model/shown-text.ts';

/** More names than this are a list to read, not to glance at. */
const MOST_NAMES = 3;

/** The files that a change reaches, those with most of it first: “start.txt, end.txt and 4 more files”. */
export function nameFiles(files: ReadonlyMap<string, number>, t: TFunction<'problems'>): string {
  const names = [...files]
    .sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
    .map(([path]) => toVisible(path.replace(/^game\/scene\//, '')));
  const shown = names.slice(0, MOST_NAMES).join(t('problems:comma'));
  const left = names.length - MOST_NAMES;
  return left > 0 ? t('problems:andFiles', { files: shown, count: left }) : shown;
}
