import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { i18n } from '../i18n/setup.ts';
import { useProject } from '../project/project-store.ts';
import { useSettings } from './settings-store.ts';

/** Dresses the page as the settings say. Until they are known it stays as it was at the last visit. */
export function useAppearance(): void {
  const { setColorScheme } = useMantineColorScheme();
  const isKnown = useSettings((state) => state.isKnown);
  const theme = useSettings((state) => state.settings.theme);
  const chosen = useSettings((state) => state.settings.locale);
  // The app's own idea of the system's language, not the browser's: the assistant speaks by it, and so must the page.
  const systemLocale = useProject((state) => state.systemLocale);
  const locale = chosen ?? systemLocale;

  useEffect(() => {
    if (isKnown) setColorScheme(theme);
  }, [isKnown, theme, setColorScheme]);

  useEffect(() => {
    if (isKnown && locale) void i18n.changeLanguage(locale);
  }, [isKnown, locale]);
}
