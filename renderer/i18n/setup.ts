import i18next, { type Resource } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { findLocale, LOCALES, type Locale } from '../../shared/model/local-text.ts';

const files = import.meta.glob<Record<string, unknown>>('../../shared/i18n/*/page/*.json', {
  eager: true,
  import: 'default',
});

/** Maps `…/en/page/chat.json` to `resources.en.chat`. A new namespace needs only a new file in each language. */
function toResources(): Resource {
  const resources: Resource = {};
  for (const [path, content] of Object.entries(files)) {
    const [, locale, file] = /([^/]+)\/page\/([^/]+)\.json$/.exec(path) ?? [];
    if (!locale || !file) continue;
    resources[locale] = { ...resources[locale], [file]: content };
  }
  return resources;
}

/** Returns the language to use until the settings are loaded: the first of the browser's that the app has, or English. */
export function guessLocale(languages: readonly string[] = navigator.languages): Locale {
  for (const language of languages) {
    const locale = findLocale(language);
    if (locale !== null) return locale;
  }
  return 'en';
}

/** The app's i18next instance (the library's default one); use `useTranslation('<area>')` in components. */
export const i18n = i18next;

/** Initialises the instance. The texts are in the bundle, so this resolves within the first frame. */
export async function setUpI18n(locale: Locale): Promise<void> {
  i18n.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18n.use(initReactI18next).init({
    lng: locale,
    fallbackLng: 'en',
    supportedLngs: LOCALES,
    resources: toResources(),
    defaultNS: 'common',
    interpolation: { escapeValue: false },
    returnNull: false,
  });
}
