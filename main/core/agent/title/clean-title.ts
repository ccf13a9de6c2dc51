/** Characters of a title. */
const MAX_TITLE = 40;

/** What hides or reorders text, and line ends. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** Language data: what models write before a title. */
const LEAD = /^(?:(?:conversation )?title|标题|题目|标题名|タイトル)\s*[:：]\s*/i;
/** Signs around a title: quotation marks, brackets of titles, Markdown. */
const EDGES = /^[\s"'“”‘’「」『』《》〈〉«»`*_#~-]+|[\s"'“”‘’「」『』《》〈〉«»`*_#~。.，,;；:：-]+$/gu;

/** Returns a title as one plain line of at most 40 characters; null when nothing is left. Pure. */
export function cleanTitle(text: string): string | null {
  const spoken = text.replace(/<think>[\s\S]*?(?:<\/think>|$)/gi, '').replace(/<[^<>]{0,200}>/g, ' ');
  const lines = spoken.split(/[\r\n\u2028\u2029]+/).map((line) => line.replace(UNSEEN, ' ').trim());
  const line = lines.find((each) => each.replace(EDGES, '') !== '') ?? '';
  const plain = line.replace(EDGES, '').replace(LEAD, '').replace(EDGES, '').replace(/\s+/g, ' ').trim();
  const characters = [...plain];
  if (characters.length === 0) return null;
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 1).join('')}…` : plain;
}
