/** Characters of a title. */
const MAX_TITLE = 40;

/** What hides or reorders text, and line ends. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** Language data: what models write before a title. */
const LEAD = /^(?:(?:conversation )?title|标题|题目|标题名|タイトル)\s*[:：]\s*/i;
/** Signs around a title: quotation marks, brackets of titles, Markdown. */
const EDGES = /^[\s"'“”‘’「」『』《》〈〉«»`*_#~-]+|[\s"'“”‘’「」『』《》〈〉«»`*_#~。.，,;；:：-]+$/gu;

/** What no title needs, and what joins no characters: controls, direction marks, line ends. */
const UNWANTED = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+/gu;
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

/** Returns a title that the user gave, as one line and otherwise as it was typed; null without a visible character. Pure. */
export function toOneLine(title: string): string | null {
  return VISIBLE.test(title) ? title.replace(UNWANTED, ' ').replace(/\s+/g, ' ').trim() : null;
}

/** Returns a title that a model wrote as one plain line of at most 40 characters; null when nothing is left. Pure. */
export function cleanTitle(text: string): string | null {
  const spoken = text.replace(/<think>[\s\S]*?(?:<\/think>|$)/gi, '').replace(/<[^<>]{0,200}>/g, ' ');
  const lines = spoken.split(/[\r\n\u2028\u2029]+/).map((line) => line.replace(UNSEEN, ' ').trim());
  const line = lines.find((each) => each.replace(EDGES, '') !== '') ?? '';
  const plain = line.replace(EDGES, '').replace(LEAD, '').replace(EDGES, '').replace(/\s+/g, ' ').trim();
  const characters = [...plain];
  if (characters.length === 0) return null;
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 1).join('')}…` : plain;
}
