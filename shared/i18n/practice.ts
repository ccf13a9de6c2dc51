import { createCatalogue } from './catalogue.ts';
import en from './en/practice.json' with { type: 'json' };
import ja from './ja/practice.json' with { type: 'json' };
import zhCN from './zh-CN/practice.json' with { type: 'json' };

/** The texts of the practice assistant, which introduces itself as such. */
export const practiceTexts = createCatalogue({ 'zh-CN': zhCN, en, ja });
