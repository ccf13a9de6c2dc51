import { withoutLineNumbers } from '../../text/numbered-lines.ts';

/** A text as it was meant; `note` says to the model what was guessed. */
export interface UnderstoodText {
  text: string;
  note?: string;
}

const FENCE = /^\s*```[a-z-]*[ \t]*\r?\n([\s\S]*?)\r?\n?```\s*$/i;

/**
 * Understands the text of a file that a model sent as one escaped string, numbered like an answer of `read_file`, or fenced
 * like an answer in a chat. No other character is changed.
 */
export function understandText(text: string): UnderstoodText {
  const notes: string[] = [];
  let meant = text;
  const take = (found: string | null, note: string): void => {
    if (found === null) return;
    meant = found;
    notes.push(note);
  };
  take(parseQuoted(meant), 'was one JSON string, so its escapes were resolved');
  take(unescapeLines(meant), 'had \\n instead of line breaks, so they were made line breaks');
  take(withoutFence(meant), 'stood between ``` marks, which were left out');
  take(withoutLineNumbers(meant), 'carried the line numbers of read_file, which were left out');
  return notes.length === 0 ? { text } : { text: meant, note: notes.join('; ') };
}

/** Returns the content of a text that is one JSON string over several lines; null otherwise. */
function parseQuoted(text: string): string | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"') || !trimmed.endsWith('"') || !trimmed.includes('\\n')) return null;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === 'string' && value.includes('\n') ? value : null;
  } catch {
    return null;
  }
}

/**
 * Returns the text with line breaks for `\n`; null unless it would be one line whose pieces are statements: `C:\new` in a
 * sentence is no line break.
 */
export function unescapeLines(text: string): string | null {
  if (/[\r\n]/.test(text) || !text.includes('\\n')) return null;
  const pieces = text.split(/(?:\\r)?\\n/);
  const isStatement = (piece: string) => piece.trim() === '' || /;\s*$/.test(piece) || /^\s*[;#*@+-]/.test(piece);
  if (!pieces.slice(0, -1).every(isStatement)) return null;
  return pieces.join('\n').replaceAll('\\"', '"');
}

function withoutFence(text: string): string | null {
  const inside = FENCE.exec(text)?.[1];
  return inside === undefined || inside.includes('```') ? null : `${inside}\n`;
}

/** Nesting of lists of lines that is understood; deeper ones are no text. */
const MAX_DEPTH = 3;

/** Returns the lines of a list or object that stands for a text; null if it holds anything but lines. */
export function joinLines(value: unknown, depth = 0): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return null;
  const entries = Array.isArray(value) ? value : Object.values(value);
  if (entries.length === 0) return null;
  const lines: string[] = [];
  for (const entry of entries) {
    const line = toLine(entry, depth);
    if (line === null) return null;
    lines.push(line);
  }
  // A list of lines that have their line breaks already.
  if (lines.length > 1 && lines.slice(0, -1).every((line) => line.endsWith('\n'))) return lines.join('');
  return lines.join('\n');
}

/** An entry: a line, `{ text: line }` with or without a number, or nested lines. */
function toLine(entry: unknown, depth: number): string | null {
  if (typeof entry === 'string') return entry;
  if (Array.isArray(entry)) return depth < MAX_DEPTH ? joinLines(entry, depth + 1) : null;
  if (typeof entry !== 'object' || entry === null) return null;
  const texts = Object.values(entry).filter((value) => typeof value !== 'number');
  return texts.length === 1 && typeof texts[0] === 'string' ? texts[0] : null;
}
