import type { TodoItem } from '../../../shared/model/chat.ts';
import { shorten } from '../../../shared/text/shorten.ts';

/** Bounds of a to-do list. */
export const MAX_TODOS = 50;
export const MAX_TODO_LENGTH = 300;

type State = TodoItem['state'];

const TEXT_FIELDS = ['text', 'content', 'title', 'task', 'description', 'step', 'name', 'item', 'label'];
const STATE_FIELDS = ['state', 'status'];
/** A Markdown check box, with or without a bullet or number before it. */
const BOX = /^\s*(?:[-*+•]\s+|\d{1,2}[.)、]\s*)?\[([ xX~>/\-✓✔]?)\]\s*/;
const MARK = /^\s*(?:[-*+•]\s+|\d{1,2}[.)、]\s*)/;

/** Language data: how models name states. */
const STATES: readonly (readonly [State | null, RegExp])[] = [
  [null, /^(?:cancell?ed|dropped|skipped|removed|deleted|已?取消)$/],
  ['done', /^(?:done|complete[d]?|finished|closed|true|yes|x|✓|✔|已?完成)$/],
  ['active', /^(?:active|in[ _-]?progress|doing|current|started|running|now|进行中|正在做)$/],
];

/** Returns the items of a to-do list as a model meant them, bounded; cancelled and blank ones are left out. */
export function toMeantTodos(given: unknown): unknown {
  const entries = toEntries(given);
  if (entries === null) return given;
  const items = entries.map(toItem).filter((item) => item !== null);
  return items.slice(0, MAX_TODOS).map(({ text, state }) => ({ text: shorten(text, MAX_TODO_LENGTH), state }));
}

function toEntries(given: unknown): unknown[] | null {
  if (Array.isArray(given)) return given;
  if (typeof given !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(given);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Not JSON: a list in Markdown.
  }
  return given.split(/\r?\n/);
}

function toItem(entry: unknown): { text: string; state: string } | null {
  if (typeof entry === 'string') return fromLine(entry);
  if (typeof entry !== 'object' || entry === null) return null;
  const fields = new Map<string, unknown>(Object.entries(entry));
  const text = TEXT_FIELDS.map((name) => fields.get(name)).find((value) => typeof value === 'string');
  if (typeof text !== 'string' || text.trim() === '') return null;
  const given = STATE_FIELDS.map((name) => fields.get(name)).find((value) => value !== undefined);
  const word = given ?? fields.get('done') ?? fields.get('completed') ?? '';
  const state = toState(String(word));
  return state === null ? null : { text: toLine(text), state };
}

function fromLine(line: string): { text: string; state: string } | null {
  const box = BOX.exec(line);
  const text = toLine(line.replace(box ? BOX : MARK, ''));
  if (text === '') return null;
  const sign = box?.[1] ?? '';
  if (sign === '' || sign === ' ') return { text, state: 'pending' };
  return { text, state: /[xX✓✔]/.test(sign) ? 'done' : 'active' };
}

/** Null: the item is not to be done. */
function toState(word: string): string | null {
  const folded = word.trim().toLowerCase();
  const found = STATES.find(([, pattern]) => pattern.test(folded));
  return found ? found[0] : 'pending';
}

const toLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
