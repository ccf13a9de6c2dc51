// Written by `npm run docs` from the folders of the languages.
import en from '../en/command-line.json' with { type: 'json' };
import ja from '../ja/command-line.json' with { type: 'json' };
import zhCN from '../zh-CN/command-line.json' with { type: 'json' };

export const TEXTS = {
  'zh-CN': zhCN,
  en,
  ja,
};
