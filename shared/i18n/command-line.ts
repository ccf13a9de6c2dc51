import { createCatalogue } from './catalogue.ts';
import en from './en/command-line.json' with { type: 'json' };
import zhCN from './zh-CN/command-line.json' with { type: 'json' };

/** The texts of the command line. */
export const commandLineTexts = createCatalogue({ 'zh-CN': zhCN, en });
