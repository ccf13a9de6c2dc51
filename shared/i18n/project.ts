import { createCatalogue } from './catalogue.ts';
import en from './en/project.json' with { type: 'json' };
import ja from './ja/project.json' with { type: 'json' };
import zhCN from './zh-CN/project.json' with { type: 'json' };

/** The texts that become part of a game or its history. */
export const projectTexts = createCatalogue({ 'zh-CN': zhCN, en, ja });
