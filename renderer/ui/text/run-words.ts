import type { TFunction } from 'i18next';
import type { RunWords } from '../../../shared/model/shown-lines.ts';

/** Returns the localized texts for unchanged runs that a diff omits. */
export function toRunWords(t: TFunction): RunWords {
  return {
    emptyLines: (count) => t('common:emptyLines', { count }),
    spaces: (count) => t('common:spaces', { count }),
  };
}
