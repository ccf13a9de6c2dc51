import type { languages } from 'monaco-editor/editor';
import type { LineHint } from '../../../shared/script/language-features/line-hints.ts';
import { i18n } from '../../i18n/setup.ts';
import { pathOf } from '../../state/monaco/model-path.ts';
import type { Monaco } from '../../state/monaco/monaco.ts';
import { WEBGAL } from '../../state/monaco/webgal-id.ts';
import { settingsStore } from '../../state/settings-store.ts';
import { askLanguage } from './ask-language.ts';

/** Registers optional inlay hints: the number of words of a line, and spoken lines without a voice file. */
export function registerLineHints(monaco: Monaco): void {
  const changed = new monaco.Emitter<void>();
  settingsStore.subscribe(({ settings }, { settings: before }) => {
    if (settings.wordHints !== before.wordHints || settings.voiceHints !== before.voiceHints) changed.fire();
  });
  monaco.languages.registerInlayHintsProvider(WEBGAL, {
    onDidChangeInlayHints: changed.event,
    async provideInlayHints(model, range, token) {
      const { wordHints: words, voiceHints: voices } = settingsStore.getState().settings;
      const path = pathOf(model);
      const wanted = { first: range.startLineNumber, last: range.endLineNumber, words, voices };
      const found =
        path !== null && (words || voices) ? await askLanguage({ model, token }, 'hint', { path, ...wanted }) : null;
      return { hints: (found ?? []).map(toHint), dispose: () => undefined };
    },
  });
}

function toHint({ line, column, kind, count }: LineHint): languages.InlayHint {
  return {
    label: i18n.t(`editor:hint.${kind}`, { count, formatted: count.toLocaleString(i18n.language) }),
    position: { lineNumber: line, column },
    paddingLeft: true,
  };
}
