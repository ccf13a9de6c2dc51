import type { Monaco } from '../../state/monaco/monaco.ts';
import { WEBGAL } from '../../state/monaco/webgal-id.ts';
import { stageStore } from '../../state/stage/stage-store.ts';
import { answerLocale, askLanguage, toPlace } from './ask-language.ts';
import { toPictureText } from './picture-text.ts';

/** Registers hovers for commands, arguments, names defined in the game, and files, with the picture itself. */
export function registerHovers(monaco: Monaco): void {
  monaco.languages.registerHoverProvider(WEBGAL, {
    async provideHover(model, position, token) {
      const place = toPlace(model, position);
      const hover = place && (await askLanguage({ model, token }, 'hover', { place, locale: answerLocale() }));
      if (!hover) return null;
      const picture =
        hover.assetPath === undefined ? '' : toPictureText(stageStore.getState().stage.url, hover.assetPath);
      return {
        range: {
          startLineNumber: position.lineNumber,
          startColumn: hover.start + 1,
          endLineNumber: position.lineNumber,
          endColumn: hover.end + 1,
        },
        contents: [picture, hover.text].filter(Boolean).map((value) => ({ value })),
      };
    },
  });
}
