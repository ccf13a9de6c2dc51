import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** Returns functions that word numbers in the user's language. */
export function useStoryCount() {
  const { t, i18n } = useTranslation('story');
  const { format } = useMemo(() => new Intl.NumberFormat(i18n.language), [i18n.language]);
  const count = (key: 'scenes' | 'words' | 'minutes' | 'hours' | 'lines', value: number) =>
    t(key, { count: value, formatted: format(value) });
  return { format, count };
}
