import type { LocalText } from '../../shared/model/text.ts';

/** The sentence in the page's language. */
export function toLocalText(text: LocalText, language: string): string {
  return language.startsWith('zh') ? text['zh-CN'] : text.en;
}
