import { isWideBlank, skipBlanks, skipBlanksBack, undoSemicolons } from './characters.ts';
import { type Command, findCommand, SAY } from './commands.ts';
import { type Argument, isTruthy, scanArguments } from './scan-arguments.ts';

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
    if (this.#arguments === undefined) {
      const { text, argsStart, end, mask } = this;
      this.#arguments = argsStart < end ? scanArguments(text, argsStart, end, (mask & HAS.backslash) !== 0) : NONE;
    }
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
