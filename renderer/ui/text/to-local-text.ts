import type { LocalText } from '../../../shared/model/text.ts';

/** Returns the text in the language of the page. */
export function toLocalText(text: LocalText, language: string): string {
  return language.startsWith('zh') ? text['zh-CN'] : text.en;
}
