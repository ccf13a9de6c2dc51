// Written by `npm run docs` from the folders of the languages.
import en from '../en/practice.json' with { type: 'json' };
import ja from '../ja/practice.json' with { type: 'json' };
import zhCN from '../zh-CN/practice.json' with { type: 'json' };

export const TEXTS = {
  'zh-CN': zhCN,
  en,
  ja,
};
