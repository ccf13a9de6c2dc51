import type { TFunction } from 'i18next';
import type { RunWords } from '../../shared/model/shown-lines.ts';

/** The page's words for runs that a comparison does not show. */
export function toRunWords(t: TFunction): RunWords {
  return {
    emptyLines: (count) => t('common:emptyLines', { count }),
    spaces: (count) => t('common:spaces', { count }),
  };
}
