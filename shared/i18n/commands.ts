import { createCatalogue, type MessageKey } from './catalogue.ts';
import en from './en/commands.json' with { type: 'json' };
import zhCN from './zh-CN/commands.json' with { type: 'json' };

/** The documentation of the commands and the texts of hovers. */
export const commandTexts = createCatalogue({ 'zh-CN': zhCN, en });

export type CommandKey = MessageKey<typeof en>;
