import { shorten } from '../../../shared/text/shorten.ts';
import { joinLines, understandText } from '../../core/capability/parsing/understand-text.ts';

/** Bounds of the versions of a passage. */
export const MIN_VERSIONS = 2;
export const MAX_VERSIONS = 3;
export const MAX_VERSION_TITLE = 80;

const TITLE_FIELDS = ['title', 'label', 'name', 'style', 'tone'];
const TEXT_FIELDS = ['text', 'content', 'script', 'lines', 'body', 'version', 'passage'];
const LETTERS = 'ABCDEFGH';

/**
 * Returns versions as a model meant them: texts or objects in a list, or an object of texts by title. Titles are given where they are
 * missing, and are different. Anything else is returned as it is.
 */
export function toMeantVersions(given: unknown): unknown {
  const parsed = typeof given === 'string' ? parse(given) : given;
  if (typeof parsed !== 'object' || parsed === null) return given;
  const entries = Array.isArray(parsed)
    ? parsed.map(toVersion)
    : Object.entries(parsed).map(([title, text]) => ({ ...toVersion(text), title }));
  const titles = new Set<string>();
  return entries.map(({ title, text }, index) => {
    const letter = LETTERS[index] ?? String(index + 1);
    const plain = title === '' ? letter : title;
    const own = titles.has(plain) ? `${plain} (${letter})` : plain;
    titles.add(own);
    return { title: own, text };
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toVersion(entry: unknown): { title: string; text: unknown } {
  if (typeof entry === 'string' || Array.isArray(entry)) return { title: '', text: toLines(entry) };
  if (typeof entry !== 'object' || entry === null) return { title: '', text: entry };
  const fields = new Map<string, unknown>(Object.entries(entry));
  const find = (names: readonly string[]) => names.map((name) => fields.get(name)).find((value) => value !== undefined);
  const title = find(TITLE_FIELDS);
  return { title: typeof title === 'string' ? toShort(title) : '', text: toLines(find(TEXT_FIELDS)) };
}

/** Returns lines as one text without a last line break, and breaks lines that were escaped. */
function toLines(value: unknown): unknown {
  const joined = typeof value === 'string' ? value : joinLines(value);
  return joined === null ? value : understandText(joined).text.replace(/(\r?\n)+$/, '');
}

function toShort(title: string): string {
  return shorten(title.replace(/\s+/g, ' ').trim(), MAX_VERSION_TITLE);
}
