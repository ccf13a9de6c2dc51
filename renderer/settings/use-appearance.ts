import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { guessLocale, i18n } from '../i18n/setup.ts';
import { useSettings } from './settings-store.ts';

/** Dresses the page as the settings say. Until they are known it stays as it was at the last visit. */
export function useAppearance(): void {
  const { setColorScheme } = useMantineColorScheme();
  const isKnown = useSettings((state) => state.isKnown);
  const theme = useSettings((state) => state.settings.theme);
  const locale = useSettings((state) => state.settings.locale);

  useEffect(() => {
    if (isKnown) setColorScheme(theme);
  }, [isKnown, theme, setColorScheme]);

  useEffect(() => {
    if (isKnown) void i18n.changeLanguage(locale ?? guessLocale());
  }, [isKnown, locale]);
}
