import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { i18n } from '../i18n/setup.ts';
import { useProject } from '../state/project/project-store.ts';
import { useSettings } from '../state/settings-store.ts';

/** Applies language and theme of the settings. Until they are loaded, the browser's language and the last theme are used. */
export function useAppearance(): void {
  const { setColorScheme } = useMantineColorScheme();
  const isKnown = useSettings((state) => state.isKnown);
  const theme = useSettings((state) => state.settings.theme);
  const chosen = useSettings((state) => state.settings.locale);
  // The system language as detected by the app, not the browser's: the assistant answers in it, so the page must match.
  const systemLocale = useProject((state) => state.systemLocale);
  const locale = chosen ?? systemLocale;

  useEffect(() => {
    if (isKnown) setColorScheme(theme);
  }, [isKnown, theme, setColorScheme]);

  useEffect(() => {
    if (isKnown && locale) void i18n.changeLanguage(locale);
  }, [isKnown, locale]);
}
