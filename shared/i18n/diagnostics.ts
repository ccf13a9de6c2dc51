import { createCatalogue, type Message, type MessageKey, type MessageValues } from './catalogue.ts';
import en from './en/diagnostics.json' with { type: 'json' };
import zhCN from './zh-CN/diagnostics.json' with { type: 'json' };

/** The texts of the checker. `codes` holds a message and a hint for each diagnostic. */
export const diagnosticTexts = createCatalogue({ 'zh-CN': zhCN, en });

export type DiagnosticCode = keyof typeof en.codes;
export type DiagnosticKey = MessageKey<typeof en>;
export type DiagnosticMessage = Message<DiagnosticKey>;

/** Returns a part of a diagnostic by key; it is translated when the diagnostic is shown. */
export function say(key: DiagnosticKey, values?: MessageValues<DiagnosticKey>): DiagnosticMessage {
  return values === undefined ? { key } : { key, values };
}
