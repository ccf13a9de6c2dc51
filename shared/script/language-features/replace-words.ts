import type { TextEdit } from '../../model/diagnostic.ts';
import { escapePattern } from '../../text/escape-pattern.ts';
import { toWholeWord } from '../../text/whole-word.ts';
import type { ProjectIndex } from '../project-index/project-facts.ts';
import { LINE } from '../syntax/analyze-line.ts';
import { scanChoices } from '../syntax/choices.ts';
import { Statement } from '../syntax/scan.ts';
import type { SceneLines } from '../syntax/scene-lines.ts';

/** What to replace in all scenes. */
export interface WordReplacement {
  /** Exact text, within a line. */
  find: string;
  replacement: string;
  /** True for the words that players read: dialogue, names of speakers, options of menus, introductions. */
  isOnlyRead: boolean;
  /** True to leave out places that are a part of a longer word, as `toWholeWord` finds them. */
  isWholeWords: boolean;
}

export interface ReplacedWords {
  /** By path. */
  edits: Map<string, TextEdit[]>;
  /** Number of lines that the engine would read in another way, for words that players read: with another speaker or option. */
  misread: number;
}

/** Offsets in a line: from, and up to. */
type Range = readonly [number, number];

/** Values of variables, and readings and styles of words: players do not read them as they are written. */
const NOT_READ = /\{[^}]*\}|\]\([^)]*\)/g;

/** The arguments that players read, by command. */
const READ_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  say: ['speaker'],
  getUserInput: ['title', 'buttonText'],
  unlockCg: ['name'],
  unlockBgm: ['name'],
};

/** Returns the edits that replace a text in all scenes. Linear in the text. */
export function replaceWords(index: ProjectIndex, wanted: WordReplacement): ReplacedWords {
  const replaced: ReplacedWords = { edits: new Map(), misread: 0 };
  const { find, replacement, isOnlyRead, isWholeWords } = wanted;
  if (find === '' || find === replacement) return replaced;
  const pattern = isWholeWords ? toWholeWord(find) : new RegExp(escapePattern(find), 'gu');
  for (const scene of index.scenes()) {
    if (!scene.text.includes(find)) continue;
    const edits = isOnlyRead
      ? replaceRead(scene, { find, replacement, pattern }, replaced)
      : replaceAll(scene.text, { find, replacement, pattern });
    if (edits.length > 0) replaced.edits.set(scene.path, edits);
  }
  return replaced;
}

interface Found {
  find: string;
  replacement: string;
  pattern: RegExp;
}

function replaceAll(text: string, { find, replacement, pattern }: Found): TextEdit[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line, at) =>
      line.includes(find)
        ? [...line.matchAll(pattern)].map(({ index }) => toEdit(at, index, { length: find.length, replacement }))
        : [],
    );
}

/** Works on statements: one can be written over several lines. */
function replaceRead(scene: SceneLines, { find, replacement, pattern }: Found, replaced: ReplacedWords): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const [at, { text, flags, command }] of scene.records.entries()) {
    if (command === null || (flags & LINE.continued) !== 0 || !text.includes(find)) continue;
    const statement = new Statement(text, at, 0);
    const ranges = rangesRead(statement);
    const starts = [...text.matchAll(pattern)]
      .map(({ index }) => index)
      .filter((start) => ranges.some(([from, to]) => start >= from && start + find.length <= to));
    if (starts.length === 0) continue;
    let after = '';
    let done = 0;
    for (const start of starts) {
      const from = scene.placeOf(at, start, 'start');
      const to = scene.placeOf(at, start + find.length, 'end');
      // Words that are written on two lines, or with a carriage return in them.
      if (from.line !== to.line || to.column - from.column !== find.length) continue;
      edits.push(toEdit(from.line, from.column, { length: find.length, replacement }));
      after += text.slice(done, start) + replacement;
      done = start + find.length;
    }
    after += text.slice(done);
    const moved = starts.filter((start) => start < statement.colon).length * (replacement.length - find.length);
    const now = new Statement(after, at, 0);
    // A colon in the name of a speaker ends it.
    const isOtherSpeaker = statement.speaker !== null && now.colon !== statement.colon + moved;
    if (isOtherSpeaker || toShape(statement) !== toShape(now)) replaced.misread += 1;
  }
  return edits;
}

function toEdit(
  line: number,
  column: number,
  { length, replacement }: { length: number; replacement: string },
): TextEdit {
  return {
    ...{ line: line + 1, column: column + 1 },
    ...{ endLine: line + 1, endColumn: column + 1 + length, newText: replacement },
  };
}

/** Returns where the words that players read stand in a statement. */
function rangesRead(statement: Statement): Range[] {
  const { text, command, colon, contentStart, contentEnd } = statement;
  const names = READ_ARGUMENTS[command?.name ?? ''] ?? [];
  const ranges: Range[] = statement.arguments
    .filter(({ name, raw }) => raw !== null && names.includes(name))
    .map(({ valueStart, valueEnd }) => [valueStart, valueEnd]);
  if (command?.name === 'say') {
    if (statement.speaker !== null) ranges.push([0, colon]);
    ranges.push([contentStart, contentEnd]);
  } else if (command?.name === 'intro') ranges.push([contentStart, contentEnd]);
  else if (command?.name === 'choose') {
    for (const { labelStart, labelEnd } of scanChoices(text, contentStart, contentEnd))
      ranges.push([labelStart, labelEnd]);
  }
  return ranges.flatMap((range) => withoutUnread(text, range));
}

function withoutUnread(text: string, [from, to]: Range): Range[] {
  const ranges: Range[] = [];
  let start = from;
  for (const { index, 0: unread } of text.slice(from, to).matchAll(NOT_READ)) {
    ranges.push([start, from + index]);
    start = from + index + unread.length;
  }
  return [...ranges, [start, to]];
}

/** What must stay as it is when words are replaced. */
function toShape(statement: Statement): string {
  const { text, command, end, contentStart, contentEnd } = statement;
  const names = READ_ARGUMENTS[command?.name ?? ''] ?? [];
  const content = text.slice(contentStart, contentEnd);
  return JSON.stringify([
    command?.name,
    // Without a name a line is narration.
    [statement.speaker === null, statement.speaker === ''],
    // It joins the next line.
    text.endsWith('\\'),
    statement.arguments.map(({ name, raw }) => [name, names.includes(name) ? raw === null : raw]),
    text.slice(end),
    content.match(/(?<!\\)\|/g)?.length,
    command?.name === 'choose'
      ? scanChoices(text, contentStart, contentEnd).map(({ target, show, enable }) => [
          target,
          show?.text,
          enable?.text,
        ])
      : null,
  ]);
}
