import type * as MonacoApi from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { i18n } from '../i18n/setup.ts';
import { projectStore } from '../project/project-store.ts';
import { settingsStore } from '../settings/settings-store.ts';

export type Monaco = typeof MonacoApi;

let loading: Promise<Monaco> | null = null;

/**
 * Loads the editor's code once, on first need, in the language of the page. The editor reads its own texts when it
 * loads: after a change of language its menus follow at the next start.
 */
export function loadMonaco(): Promise<Monaco> {
  loading ??= load();
  return loading;
}

const preparations: ((monaco: Monaco) => void)[] = [];

/** Has something set up in the editor before it is first shown. Loads nothing itself. */
export function prepareMonaco(prepare: (monaco: Monaco) => void): void {
  if (loading) void loading.then(prepare);
  else preparations.push(prepare);
}

/** What the page will speak: on a first visit it begins with the browser's language and takes the system's a moment later. */
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
    import('../language/register-webgal.ts'),
    import('./keep-tooltips.ts'),
  ]);
  keepTooltips(monaco);
  registerWebgal(monaco);
  for (const prepare of preparations) prepare(monaco);
  return monaco;
}
