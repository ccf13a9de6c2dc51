import type * as MonacoApi from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { i18n } from '../../i18n/setup.ts';
import { projectStore } from '../project/project-store.ts';
import { settingsStore } from '../settings-store.ts';

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

const preparations: ((monaco: Monaco) => void)[] = [];

/** Registers a set-up step that runs before the editor is first shown. Does not load the editor. */
export function prepareMonaco(prepare: (monaco: Monaco) => void): void {
  if (loading) void loading.then(prepare);
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

async function load(): Promise<Monaco> {
  globalThis.MonacoEnvironment = { getWorker: () => new EditorWorker() };
  if ((await findLanguage()).startsWith('zh')) await import('monaco-editor/nls/lang/zh-cn');
  const [{ monaco }, { registerWebgal }, { keepTooltips }] = await Promise.all([
    import('./monaco-features.ts'),
    import('../../language/register-webgal.ts'),
    import('./keep-tooltips.ts'),
  ]);
  keepTooltips(monaco);
  registerWebgal(monaco);
  for (const prepare of preparations) prepare(monaco);
  return monaco;
}
