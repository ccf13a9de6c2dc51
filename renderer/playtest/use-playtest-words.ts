import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { playtestTexts, type TranslatePlaytest } from '../../shared/i18n/playtest.ts';
import { toLocale } from '../../shared/model/local-text.ts';

/** Returns the texts of reports, which the command line and the tools use too. */
export function usePlaytestWords(): TranslatePlaytest {
  const { i18n } = useTranslation();
  return useMemo(() => playtestTexts.createTranslator(toLocale(i18n.language)), [i18n.language]);
}
