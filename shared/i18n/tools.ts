import type { LocalText } from '../model/local-text.ts';
import { createCatalogue, type MessageKey, type MessageValues } from './catalogue.ts';
import { TEXTS } from './texts/tools.ts';

/** The texts of the tools. */
export const toolTexts = createCatalogue(TEXTS);

type ToolKey = MessageKey<(typeof TEXTS)['en']>;

/** The name of a tool that has its title and description in the catalogue. */
export type TitledTool = keyof (typeof TEXTS)['en'];

/** Returns a tool's text in every language: the audit log and the page show it in the user's. */
export function toolText(key: ToolKey, values?: MessageValues<ToolKey>): LocalText {
  return toolTexts.toLocalText(key, values);
}
