import type { TFunction } from 'i18next';
import type { RunWords } from '../../../shared/text/shown-lines.ts';

/** Returns the localized counts of empty lines and spaces that a diff spells out (`toShownLines`). */
export function toRunWords(t: TFunction): RunWords {
  return {
    emptyLines: (count) => t('common:emptyLines', { count }),
    spaces: (count) => t('common:spaces', { count }),
  };
}
