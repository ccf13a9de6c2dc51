import type { LocalText } from '../model/local-text.ts';
import { createCatalogue, type MessageKey, type MessageValues } from './catalogue.ts';
import en from './en/tools.json' with { type: 'json' };
import zhCN from './zh-CN/tools.json' with { type: 'json' };

/** The texts of the tools. */
export const toolTexts = createCatalogue({ 'zh-CN': zhCN, en });

type ToolKey = MessageKey<typeof en>;

/** The name of a tool that has its title and description in the catalogue. */
export type TitledTool = keyof typeof en;

/** Returns a tool's text in every language: the audit log and the page show it in the user's. */
export function toolText(key: ToolKey, values?: MessageValues<ToolKey>): LocalText {
  return toolTexts.toLocalText(key, values);
}
