// Written by `npm run docs` from the folders of the languages.
import en from '../en/risks.json' with { type: 'json' };
import ja from '../ja/risks.json' with { type: 'json' };
import zhCN from '../zh-CN/risks.json' with { type: 'json' };

export const TEXTS = {
  'zh-CN': zhCN,
  en,
  ja,
};
