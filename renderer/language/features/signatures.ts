import type { Monaco } from '../../state/monaco/monaco.ts';
import { WEBGAL } from '../../state/monaco/webgal-id.ts';
import { answerLocale, askLanguage, toPlace } from './ask-language.ts';

/** Registers signature help: the command's description and the argument at the cursor. */
export function registerSignatures(monaco: Monaco): void {
  monaco.languages.registerSignatureHelpProvider(WEBGAL, {
    signatureHelpTriggerCharacters: ['='],
    signatureHelpRetriggerCharacters: [' '],
    async provideSignatureHelp(model, position, token) {
      const place = toPlace(model, position);
      const found = place && (await askLanguage({ model, token }, 'signature', { place, locale: answerLocale() }));
      if (!found) return null;
      // Monaco highlights the first argument when none is active; list only the one at the cursor.
      const active = found.arguments[found.active];
      return {
        value: {
          signatures: [
            {
              label: active ? `${found.command} ${active.label}`.trim() : found.label,
              documentation: { value: found.documentation },
              parameters: active ? [{ label: active.label, documentation: { value: active.documentation } }] : [],
            },
          ],
          activeSignature: 0,
          activeParameter: 0,
        },
        dispose: () => undefined,
      };
    },
  });
}
