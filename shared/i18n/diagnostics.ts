import { createCatalogue, type Message, type MessageKey, type MessageValues } from './catalogue.ts';
import { TEXTS } from './texts/diagnostics.ts';

/** The texts of the checker. `codes` holds a message and a hint for each diagnostic. */
export const diagnosticTexts = createCatalogue(TEXTS);

export type DiagnosticCode = keyof (typeof TEXTS)['en']['codes'];
export type DiagnosticKey = MessageKey<(typeof TEXTS)['en']>;
export type DiagnosticMessage = Message<DiagnosticKey>;

/** Returns a part of a diagnostic by key; it is translated when the diagnostic is shown. */
export function say(key: DiagnosticKey, values?: MessageValues<DiagnosticKey>): DiagnosticMessage {
  return values === undefined ? { key } : { key, values };
}
