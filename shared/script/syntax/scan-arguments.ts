import { isEngineAtLeast } from '../engine/engine-version.ts';
import { skipBlanks, skipBlanksBack, undoSemicolons } from './characters.ts';

/** An argument of a statement. Columns are 0-based offsets in the line, ends exclusive, without surrounding blanks. */
export interface Argument {
  /** The engine's key; `vocal` for the short form `-v1.wav`. */
  name: string;
  value: string | number | boolean;
  /** The value as written, with `\;` unescaped; null for a flag. */
  raw: string | null;
  nameStart: number;
  nameEnd: number;
  /** Both are `nameEnd` for a flag. */
  valueStart: number;
  valueEnd: number;
  /** True for a voice file in place of a name. */
  isVoice: boolean;
}

/**
 * The engine's `/.ogg|.mp3|.wav/i`, not anchored: a name that contains one of these after any character is a voice
 * file.
 */
function isVoiceName(text: string, from: number, to: number): boolean {
  for (let index = from + 1; index + 2 < to; index += 1) {
    const first = text.charCodeAt(index) | 32;
    if (first !== 111 && first !== 109 && first !== 119) continue;
    const second = text.charCodeAt(index + 1) | 32;
    const third = text.charCodeAt(index + 2);
    const isEnding =
      first === 111
        ? second === 103 && (third | 32) === 103
        : first === 109
          ? second === 112 && third === 51
          : second === 97 && (third | 32) === 118;
    const before = text.charCodeAt(index - 1);
    if (isEnding && before !== 0x2028 && before !== 0x2029) return true;
  }
  return false;
}

/**
 * Splits the arguments of a statement; `start` is the blank before the first, `end` the end of the statement.
 * `hasEscapes` is false when the statement contains no backslash.
 */
export function scanArguments(text: string, start: number, end: number, hasEscapes: boolean): Argument[] {
  const found: Argument[] = [];
  let from = start;
  while (from < end) {
    // Each argument begins with a blank and a hyphen; the text up to the next such pair is one argument.
    const partStart = from + 2;
    let next = text.indexOf(' -', partStart);
    if (next < 0 || next >= end) next = end;
    if (next > partStart) found.push(toArgument(text, partStart, next, hasEscapes));
    from = next;
  }
  return found;
}

function toArgument(text: string, partStart: number, partEnd: number, hasEscapes: boolean): Argument {
  let equals = partStart;
  while (equals < partEnd && text.charCodeAt(equals) !== 61) equals += 1;
  const nameStart = skipBlanks(text, partStart, equals);
  const nameEnd = Math.max(nameStart, skipBlanksBack(text, nameStart, equals));
  if (isVoiceName(text, nameStart, nameEnd)) {
    const raw = readText(text, partStart, partEnd, hasEscapes);
    return {
      name: 'vocal',
      value: raw,
      raw,
      nameStart,
      nameEnd: partEnd,
      valueStart: partStart,
      valueEnd: partEnd,
      isVoice: true,
    };
  }
  const name = readText(text, nameStart, nameEnd, hasEscapes);
  if (equals === partEnd) {
    return { name, value: true, raw: null, nameStart, nameEnd, valueStart: nameEnd, valueEnd: nameEnd, isVoice: false };
  }
  const valueStart = skipBlanks(text, equals + 1, partEnd);
  const valueEnd = Math.max(valueStart, skipBlanksBack(text, valueStart, partEnd));
  const raw = readText(text, valueStart, valueEnd, hasEscapes);
  return { name, value: toValue(raw), raw, nameStart, nameEnd, valueStart, valueEnd, isVoice: false };
}

function readText(text: string, start: number, end: number, hasEscapes: boolean): string {
  const part = text.slice(start, end);
  return hasEscapes ? undoSemicolons(part) : part;
}

/** Converts an argument's text as the engine does: an empty one is 0. */
function toValue(raw: string): string | number | boolean {
  if (raw === 'true') return true;
  if (raw === 'false') return false;
  const number = Number(raw);
  return Number.isNaN(number) ? raw : number;
}

/** Converts a boolean argument as the engine does. */
export function isTruthy(value: string | number | boolean | undefined): boolean {
  return value === true || value === 'true' || (typeof value === 'number' && value !== 0);
}

/** Source: the parser of 4.5.13, which takes the name with what follows it up to the next argument, and that of 4.5.18. */
const TRIMS_NAMES = '4.5.17';

/** Returns the end of the name of an argument without a value as that engine reads it: older ones take blanks after it for a part. */
export function endOfName(
  text: string,
  { raw, nameEnd }: Pick<Argument, 'raw' | 'nameEnd'>,
  engineVersion: string,
): number {
  if (raw !== null || isEngineAtLeast(engineVersion, TRIMS_NAMES)) return nameEnd;
  let end = nameEnd;
  while (text[end] === ' ' || text[end] === '\t') end += 1;
  // The blank that begins the next argument is none of it.
  return text[end] === '-' ? end - 1 : end;
}
