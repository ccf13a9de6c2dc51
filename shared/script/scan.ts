import { type Command, findCommand, SAY } from './commands.ts';

/** Kinds of characters in a line, as bits, so that rules that cannot apply are skipped. */
export const HAS = {
  colon: 1,
  backslash: 2,
  brace: 4,
  bracket: 8,
  pipe: 16,
  slashes: 32,
  fullWidth: 64,
  semicolon: 128,
  hash: 256,
  equals: 512,
} as const;

/** Character classes; other ASCII characters are plain text. The last five are never part of a mask. */
const BLANK = 1024;
const END = 2048;
const COLON = 4096;
const DASH = 8192;
const SLASH = 16384;
const CLASS = new Uint16Array(128);
for (const [characters, bit] of [
  ['\\', HAS.backslash],
  ['{', HAS.brace],
  ['[]', HAS.bracket],
  ['|', HAS.pipe],
  ['#', HAS.hash],
  ['=', HAS.equals],
  [' \t\n\v\f\r', BLANK],
  [';', END],
  [':', COLON],
  ['-', DASH],
  ['/', SLASH],
] as const) {
  for (const character of characters) CLASS[character.charCodeAt(0)] = bit;
}

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

export interface ScanOptions {
  engineVersion?: string;
}

/**
 * One line as read by the engine; the n-th statement of a scene is its n-th line, including empty ones. Columns are
 * 0-based offsets in `text`, which is the line without line ending.
 */
export class Statement {
  readonly text: string;
  /** 0-based; equal to the engine's sentence index. */
  line: number;
  /** Position of the line in the scene's text. */
  offset: number;
  /** Bits of `HAS`. */
  readonly mask: number;
  /** End of the statement: its first unescaped `;`, or the line's end. */
  readonly end: number;
  /** The colon after the command word; -1 without one. */
  readonly colon: number;
  /** Position of the blank before the first argument; `end` when there are no arguments. */
  readonly argsStart: number;
  /** `SAY` when the word before the colon is not a command; null for blank lines and comments. */
  readonly command: Command | null;
  #arguments: readonly Argument[] | undefined;

  constructor(text: string, line: number, offset: number) {
    this.text = text;
    this.line = line;
    this.offset = offset;
    const length = text.length;
    let mask = 0;
    let colon = -1;
    let dash = -1;
    let end = length;
    let visible = false;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 0x3000 && code < 0xfe00) {
        visible = true;
        continue;
      }
      if (code >= 128) {
        visible ||= !isWideBlank(code);
        if (code >= 0xff00) mask |= HAS.fullWidth;
        continue;
      }
      const kind = CLASS[code] as number;
      if (kind === BLANK) continue;
      if (kind === END) {
        if (index > 0 && text.charCodeAt(index - 1) === 92) continue;
        end = index;
        mask |= HAS.semicolon;
        break;
      }
      visible = true;
      if (kind === 0) continue;
      if (kind === COLON) {
        if (colon >= 0) continue;
        colon = index;
        dash = -1;
        mask |= HAS.colon;
      } else if (kind === DASH) {
        if (dash < 0 && index - 1 > colon && index > 0 && text.charCodeAt(index - 1) === 32) dash = index - 1;
      } else if (kind === SLASH) {
        if (index > 0 && text.charCodeAt(index - 1) === 47) mask |= HAS.slashes;
      } else {
        mask |= kind;
      }
    }
    // `\;` alone is text although the loop skips it.
    if (!visible && end > 0) visible = text.lastIndexOf('\\;', end - 1) >= 0;
    this.mask = mask;
    this.end = end;
    this.colon = colon;
    this.argsStart = dash < 0 ? end : dash;
    this.command = visible ? commandOf(text, colon < 0 ? end : colon) : null;
  }

  /** True for blank lines and lines that consist of a comment. */
  get isComment(): boolean {
    return this.command === null;
  }

  /**
   * The word that is looked up: the text before the colon, or the whole statement without one. Not trimmed, as in the
   * engine.
   */
  get word(): string {
    return this.colon < 0 ? this.text.slice(0, this.end) : this.text.slice(0, this.colon);
  }

  /** The name displayed for dialogue; null when the line does not set it (the previous speaker is kept). */
  get speaker(): string | null {
    if (this.command !== SAY || this.colon < 0) return null;
    const written = this.text.slice(0, this.colon);
    const word = this.mask & HAS.backslash ? undoSemicolons(written) : written;
    return word === 'say' ? null : word;
  }

  get contentStart(): number {
    return skipBlanks(this.text, this.colon + 1, this.argsStart);
  }

  get contentEnd(): number {
    return skipBlanksBack(this.text, this.colon + 1, this.argsStart);
  }

  /** The text between the colon and the arguments, trimmed, with `\;` unescaped. */
  get content(): string {
    const content = this.text.slice(this.contentStart, this.contentEnd);
    return this.mask & HAS.backslash ? undoSemicolons(content) : content;
  }

  /** The text between the first `;` and the next one, trimmed. */
  get comment(): string {
    if (this.end >= this.text.length) return '';
    return this.text.slice(this.end + 1, this.commentStop).trim();
  }

  get commentStop(): number {
    let stop = this.text.indexOf(';', this.end + 1);
    while (stop > 0 && this.text.charCodeAt(stop - 1) === 92) stop = this.text.indexOf(';', stop + 1);
    return stop < 0 ? this.text.length : stop;
  }

  get arguments(): readonly Argument[] {
    this.#arguments ??= this.argsStart < this.end ? scanArguments(this.text, this.argsStart, this.end) : NONE;
    return this.#arguments;
  }

  /** The first argument of that name, which is the one that the engine reads. */
  argument(name: string): Argument | undefined {
    if (this.argsStart >= this.end) return undefined;
    for (const argument of this.arguments) if (argument.name === name) return argument;
    return undefined;
  }

  /** True when the story continues without waiting for this line: an auto-next command, or `-next`. */
  get isNext(): boolean {
    if (this.command === null || this.command.autoNext) return true;
    return isTruthy(this.argument('next')?.value);
  }
}

const NONE: readonly Argument[] = [];

/** Converts a boolean argument as the engine does. */
export function isTruthy(value: string | number | boolean | undefined): boolean {
  return value === true || value === 'true' || (typeof value === 'number' && value !== 0);
}

/**
 * Reads a scene into one statement per line. Byte order mark and carriage returns are skipped as the engine does;
 * `offset` counts from the start of the given text. Never throws.
 */
export function scanScene(text: string, _options: ScanOptions = {}): Statement[] {
  const statements: Statement[] = [];
  forEachLine(text, (line, offset) => {
    statements.push(new Statement(line, statements.length, offset));
  });
  return statements;
}

/** Calls `visit` for each line without its ending; a byte order mark is not part of the first. */
function forEachLine(text: string, visit: (line: string, offset: number) => void): void {
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const hasReturns = text.indexOf('\r') >= 0;
  for (;;) {
    const feed = text.indexOf('\n', start);
    const stop = feed < 0 ? text.length : feed;
    const line = text.slice(start, stop);
    visit(hasReturns ? withoutReturns(line) : line, start);
    if (feed < 0) return;
    start = feed + 1;
  }
}

/** The engine removes carriage returns anywhere in a line. */
export function withoutReturns(line: string): string {
  const first = line.indexOf('\r');
  if (first < 0) return line;
  return first === line.length - 1 ? line.slice(0, -1) : line.replaceAll('\r', '');
}

function commandOf(text: string, stop: number): Command {
  if (stop < 3 || stop > 19) return SAY;
  const first = text.charCodeAt(0);
  if (first < 97 || first > 122) return SAY;
  return findCommand(text.slice(0, stop)) ?? SAY;
}

/** Non-ASCII characters that `String.prototype.trim` removes. */
function isWideBlank(code: number): boolean {
  return (
    code === 0xa0 ||
    code === 0x3000 ||
    code === 0xfeff ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x1680 ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f
  );
}

/** Replaces `\;` by `;`, the one escape that the engine handles before it parses a line. */
export function undoSemicolons(text: string): string {
  return text.indexOf('\\;') < 0 ? text : text.replaceAll('\\;', ';');
}

/** First offset in `[from, to]` that is not a blank; blanks are the characters that `trim` removes. */
function skipBlanks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** End of the text before `to` without trailing blanks, at least `from`. */
function skipBlanksBack(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isBlank(code: number): boolean {
  return code < 128 ? CLASS[code] === BLANK : isWideBlank(code);
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

function scanArguments(text: string, start: number, end: number): Argument[] {
  const found: Argument[] = [];
  let from = start;
  while (from < end) {
    // Each argument begins with a blank and a hyphen; the text up to the next such pair is one argument.
    const partStart = from + 2;
    let next = text.indexOf(' -', partStart);
    if (next < 0 || next >= end) next = end;
    if (next > partStart) found.push(toArgument(text, partStart, next));
    from = next;
  }
  return found;
}

function toArgument(text: string, partStart: number, partEnd: number): Argument {
  let equals = partStart;
  while (equals < partEnd && text.charCodeAt(equals) !== 61) equals += 1;
  const nameStart = skipBlanks(text, partStart, equals);
  const nameEnd = Math.max(nameStart, skipBlanksBack(text, nameStart, equals));
  if (isVoiceName(text, nameStart, nameEnd)) {
    const raw = undoSemicolons(text.slice(partStart, partEnd));
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
  const name = undoSemicolons(text.slice(nameStart, nameEnd));
  if (equals === partEnd) {
    return { name, value: true, raw: null, nameStart, nameEnd, valueStart: nameEnd, valueEnd: nameEnd, isVoice: false };
  }
  const valueStart = skipBlanks(text, equals + 1, partEnd);
  const valueEnd = Math.max(valueStart, skipBlanksBack(text, valueStart, partEnd));
  const raw = undoSemicolons(text.slice(valueStart, valueEnd));
  return { name, value: toValue(raw), raw, nameStart, nameEnd, valueStart, valueEnd, isVoice: false };
}

/** Converts an argument's text as the engine does: an empty one is 0. */
function toValue(raw: string): string | number | boolean {
  if (raw === 'true') return true;
  if (raw === 'false') return false;
  const number = Number(raw);
  return Number.isNaN(number) ? raw : number;
}
