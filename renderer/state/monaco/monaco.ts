import type * as MonacoApi from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { type Locale, toLocale } from '../../../shared/model/local-text.ts';
import { i18n } from '../../i18n/setup.ts';
import { projectStore } from '../project/project-store.ts';
import { settingsStore } from '../settings-store.ts';
import { replaceMessages } from './replace-messages.ts';

export type Monaco = typeof MonacoApi;

let loading: Promise<Monaco> | null = null;

/**
 * Loads the editor's code once, lazily, in the language of the page. Monaco reads its messages when it loads, so its
 * menus change language at the next start only.
 */
export function loadMonaco(): Promise<Monaco> {
  loading ??= load();
  return loading;
}

/** Loads code for the editor and returns what it does with Monaco. */
type Preparation = () => Promise<(monaco: Monaco) => void>;

const preparations: Preparation[] = [];

/** Registers a set-up step, which is loaded with Monaco and runs before the editor is first shown. Does not load it. */
export function prepareMonaco(prepare: Preparation): void {
  if (loading) void Promise.all([loading, prepare()]).then(([monaco, run]) => run(monaco));
  else preparations.push(prepare);
}

/** Resolves to the page's final language: on a first visit it starts with the browser's and then uses the system's. */
async function findLanguage(): Promise<string> {
  if (!settingsStore.getState().isKnown) {
    await new Promise<void>((resolve) => {
      const stop = settingsStore.subscribe(({ isKnown }) => {
        if (!isKnown) return;
        stop();
        resolve();
      });
    });
  }
  return settingsStore.getState().settings.locale ?? projectStore.getState().systemLocale ?? i18n.language;
}

/**
 * Loads the editor's own texts, which it reads once. Null: Monaco has none in the language, or has them without loading; it shows
 * English.
 */
const TEXTS: Record<Locale, (() => Promise<unknown>) | null> = {
  en: null,
  'zh-CN': () => import('monaco-editor/nls/lang/zh-cn'),
  ja: () => import('monaco-editor/nls/lang/ja'),
};

async function load(): Promise<Monaco> {
  globalThis.MonacoEnvironment = { getWorker: () => new EditorWorker() };
  const locale = toLocale(await findLanguage());
  await TEXTS[locale]?.();
  replaceMessages(i18n.getFixedT(locale, 'editor'));
  // Its largest parts first, one after the other: a module is run with its imports, and later stored in the browser's code cache
  // with them, in one task, which would block the page for 100 ms.
  await import('monaco-editor/editor/browser/editorExtensions.js');
  await import('monaco-editor/editor/standalone/browser/standaloneServices.js');
  const [{ monaco }, { keepTooltips }, { boundLineWrapping }, ...steps] = await Promise.all([
    import('./monaco-features.ts'),
    import('./keep-tooltips.ts'),
    import('./bound-line-wrapping.ts'),
    ...preparations.map((prepare) => prepare()),
  ]);
  keepTooltips(monaco);
  boundLineWrapping(monaco);
  for (const run of steps) run(monaco);
  return monaco;
}
