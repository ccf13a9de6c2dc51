// Written by `npm run docs` from the folders of the languages.
import en from '../en/project.json' with { type: 'json' };
import ja from '../ja/project.json' with { type: 'json' };
import zhCN from '../zh-CN/project.json' with { type: 'json' };

export const TEXTS = {
  'zh-CN': zhCN,
  en,
  ja,
};
