import type { TFunction } from 'i18next';
import { toVisible } from '../../../shared/text/shown-text.ts';

/** Maximum number of listed names; the rest is counted. */
const MAX_NAMES = 3;

/** Formats the affected files, those with the most problems first: “start.txt, end.txt and 4 more files”. */
export function nameFiles(files: ReadonlyMap<string, number>, t: TFunction<'problems'>): string {
  const names = [...files]
    .sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
    .map(([path]) => toVisible(path.replace(/^game\/scene\//, '')));
  const shown = names.slice(0, MAX_NAMES).join(t('common:listSeparator'));
  const left = names.length - MAX_NAMES;
  return left > 0 ? t('problems:andFiles', { files: shown, count: left }) : shown;
}
