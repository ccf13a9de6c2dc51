import { shorten } from '../../../shared/text/shorten.ts';

/** Bounds of the options of a question. */
export const MIN_OPTIONS = 2;
export const MAX_OPTIONS = 6;
export const MAX_OPTION_LENGTH = 200;

/** Fields in which models put the text of an option, in order of preference. */
const TEXT_FIELDS = ['label', 'text', 'title', 'option', 'name', 'value', 'content', 'answer'];
/** `1. `, `2)`, `（3）`, `A、`, `- `, before an option. Language data. */
const MARK = /^\s*(?:[-*•·]\s+|[(（]?(?:\d{1,2}|[A-Fa-f])(?:[.)、．：:）]\s*|\s*[)）]\s*))/;

/**
 * Returns the options of a question as a model meant them: texts without numbers, each once, bounded. Fewer than two are no
 * choice and give none.
 */
export function toMeantOptions(given: unknown): string[] | undefined {
  const texts = toEntries(given)
    .map((entry) => toText(entry).replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
  // A number is only removed where every option has one: “3. May” beside “June” is a date.
  const areMarked = texts.length > 0 && texts.every((text) => MARK.test(text) && text.replace(MARK, '').trim() !== '');
  const plain = areMarked ? texts.map((text) => text.replace(MARK, '').trim()) : texts;
  const once = [...new Set(plain.map((text) => shorten(text, MAX_OPTION_LENGTH)))].slice(0, MAX_OPTIONS);
  return once.length < MIN_OPTIONS ? undefined : once;
}

function toEntries(given: unknown): unknown[] {
  if (Array.isArray(given)) {
    const [only] = given;
    return given.length === 1 && typeof only === 'string' ? toEntries(only) : given;
  }
  if (typeof given === 'string') return toListed(given);
  return typeof given === 'object' && given !== null ? Object.values(given) : [];
}

/** Reads a list that was sent as one text: JSON, or one option a line. */
function toListed(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Not JSON: lines.
  }
  return text.split(/\r?\n/);
}

function toText(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  if (typeof entry === 'number' || typeof entry === 'boolean') return String(entry);
  if (typeof entry !== 'object' || entry === null) return '';
  const fields = new Map(Object.entries(entry));
  for (const name of TEXT_FIELDS) {
    const value: unknown = fields.get(name);
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return '';
}
