import type { LocalText } from '../../model/text.ts';
import { EFFECTS, FILE_ENDINGS } from '../command-values.ts';
import { FOREIGN_COMMANDS, findCommand, listCommands } from '../commands.ts';
import type { Engine } from '../engine.ts';
import { isEngineAtLeast } from '../engine-version.ts';
import { type Finding, type LineReport, replaceFix } from '../line-report.ts';
import { editDistance, toHalfWidth, tolerance } from '../near-names.ts';
import { HAS, type Statement } from '../scan.ts';

const BY_LOWER_CASE = new Map(listCommands().map((command) => [command.name.toLowerCase(), command.name]));
const CAMEL_COMMANDS = listCommands()
  .map(({ name }) => ({ name, lower: name.toLowerCase() }))
  .filter(({ name, lower }) => name !== lower);
const FOREIGN_BY_LOWER_CASE = new Map([...FOREIGN_COMMANDS].map(([name, command]) => [name.toLowerCase(), command]));
const CAMEL = /^[a-z]{2,}[A-Z][A-Za-z]*$/;
const VERBS =
  /^(add|call|change|choose|clear|close|fade|get|go|hide|init|jump|load|move|open|pixi|play|remove|reset|run|set|show|start|stop|switch|unlock|update|wait)[A-Z]/;
const FILE = new RegExp(`^[^\\s,，。！？]+\\.(?:${[...new Set(Object.values(FILE_ENDINGS).flat())].join('|')})$`, 'i');
const SOUND = new RegExp(`\\.(?:${FILE_ENDINGS.sound.join('|')})$`, 'i');

/** True for a word before a colon for which `checkCommandWord` has no finding, whatever follows. */
export function cannotBeCommand(word: string): boolean {
  const first = word.charCodeAt(0);
  if (isOtherScript(first)) return true;
  const trimmed = word.trim();
  const plain = toHalfWidth(trimmed);
  const lower = plain.toLowerCase();
  if (findCommand(plain) !== undefined || BY_LOWER_CASE.has(lower) || pluralOf(lower) !== undefined) return false;
  if (!/^[A-Za-z]\w*$/.test(plain)) return true;
  // For a word that begins with a lower-case letter the content matters.
  return /^[A-Z]/.test(plain) && suggestCommand(plain, '') === undefined;
}

/** The command whose name has a superfluous trailing s. */
const pluralOf = (lower: string) => (lower.endsWith('s') ? BY_LOWER_CASE.get(lower.slice(0, -1)) : undefined);

/** Words that are never names: always intended as commands. */
const NEVER_NAMES = new Set(['comment', 'return']);
/** Commands of old or newer engines. */
const OLD_ENGINE_COMMAND = /^set(?:Bg|Fig)(?:Ani|Transform|Filter)$/;

/**
 * True for a first character of a non-Latin script: such names are not mistyped commands. Full-width Latin is excluded.
 */
function isOtherScript(first: number): boolean {
  return first >= 128 && first < 0xff00 && first !== 0x3000 && first !== 0xa0;
}

/** Checks lines with a colon that the engine treats as dialogue although a command was intended. */
export function checkCommandWord(statement: Statement, report: LineReport, engine: Engine): void {
  const first = statement.text.charCodeAt(0);
  if (isOtherScript(first)) return;
  const word = statement.word;
  if (word.length > 40) return;
  const trimmed = word.trim();
  const { colon } = statement;
  const plain = statement.mask & HAS.fullWidth ? toHalfWidth(trimmed) : trimmed;
  const command = findCommand(plain);
  if (command !== undefined) {
    if (plain === trimmed) {
      report.add('command-spacing', 0, colon, { values: { word: trimmed }, fixes: [replaceFix(0, colon, trimmed)] });
    } else {
      report.add('command-case', 0, colon, {
        values: { word: trimmed, command: plain },
        fixes: [replaceFix(0, colon, plain)],
      });
    }
    return;
  }
  const folded = BY_LOWER_CASE.get(plain.toLowerCase());
  if (folded !== undefined) {
    report.add('command-case', 0, colon, {
      values: { word: trimmed, command: folded },
      fixes: [replaceFix(0, colon, folded)],
    });
    return;
  }
  if (!/^[A-Za-z]\w*$/.test(plain)) return;
  const content = statement.content;
  const suggestion = suggestCommand(plain, content);
  const isFile = FILE.test(content);
  if (OLD_ENGINE_COMMAND.test(plain) && plain === word) {
    report.refer('old-command', word, 0, colon, { note: content });
    return;
  }
  if (plain === 'return' && isEngineAtLeast(engine.version, '4.6.3')) return;
  const isNoName =
    NEVER_NAMES.has(plain) ||
    // Dialogue without text: a command written without content.
    (content === '' && /^[a-z]{3,}$/.test(plain)) ||
    (plain === 'if' && /[<>=]|^!/.test(content));
  if (suggestion === undefined && !isNoName && !CAMEL.test(plain) && !(isFile && /^[a-z]/.test(plain))) return;
  const known = typeof suggestion === 'string' ? suggestion : null;
  report.add('unknown-command', 0, colon, {
    ...(suggestion === undefined &&
      !isFile &&
      (!isNoName || content === '') &&
      !VERBS.test(plain) && { severity: 'warning' as const }),
    values: {
      word: trimmed,
      content,
      suggestion:
        OTHER_WORDS.get(plain) ??
        (known
          ? { 'zh-CN': `是不是想写 ${known}？`, en: ` Did you mean ${known}?` }
          : SOUND.test(content)
            ? {
                'zh-CN': `语音写在台词后面（-${content}），音效用 playEffect，音乐用 bgm。`,
                en: ` A voice goes behind the dialogue (-${content}), a sound is playEffect, music is bgm.`,
              }
            : ''),
    },
    ...(known !== null && !FOREIGN_COMMANDS.has(plain) && { fixes: [replaceFix(0, colon, known)] }),
  });
  // Only for a voice is the folder known; for other files one finding is enough.
  if (isFile && suggestion === null) report.refer('loose-file', content, statement.contentStart, statement.contentEnd);
}

/** The finding for a command of an old engine that is too rare for a finding about the whole game. */
export function oldCommandFinding(word: string, content: string, end: number): Finding {
  const known = FOREIGN_COMMANDS.get(word) ?? 'setAnimation';
  return {
    code: 'unknown-command',
    start: 0,
    end,
    values: {
      word,
      content,
      suggestion: {
        'zh-CN': `这是旧版引擎的命令，现在写 ${known}。`,
        en: ` The command belongs to an old engine; now it is ${known}.`,
      },
    },
  };
}

const OTHER_WORDS: ReadonlyMap<string, LocalText> = new Map([
  ['comment', { 'zh-CN': '注释写在英文分号后面。', en: ' A comment stands behind a semicolon.' }],
  ['return', { 'zh-CN': '4.6.3 起的引擎才有 return。', en: ' Only engines from 4.6.3 on have return.' }],
  [
    'if',
    {
      'zh-CN': '条件写在语句后面：jumpLabel:标签 -when=条件。',
      en: ' A condition goes behind a statement: jumpLabel:label -when=condition.',
    },
  ],
]);

/** The intended command; null: something for which there is no command; undefined: it may be a name. */
function suggestCommand(word: string, content: string): string | null | undefined {
  const isCamel = CAMEL.test(word);
  const foreign =
    FOREIGN_COMMANDS.get(word) ?? (/^[a-z]/.test(word) ? FOREIGN_BY_LOWER_CASE.get(word.toLowerCase()) : undefined);
  if (foreign !== undefined && (isCamel || fits(foreign, content))) return foreign;
  const { camel, near } = commandsNear(word);
  if (camel !== undefined) return camel;
  const plural = pluralOf(word.toLowerCase());
  if (plural !== undefined && fits(plural, content)) return plural;
  // Short common words are often names: they count only if the content fits the command.
  if (word.length < 3 || !/^[a-z]/.test(word)) return undefined;
  return near.find((name) => fits(name, content));
}

/** Commands with lower-case names. */
const PLAIN_COMMANDS = listCommands()
  .map(({ name }) => name)
  .filter((name) => name !== 'say' && !/[A-Z]/.test(name));
/** Size of the cache: scripts repeat the same unknown words, mostly speakers' names. */
const MAX_CACHED_WORDS = 1000;
const NEAR = new Map<string, { camel: string | undefined; near: readonly string[] }>();

/** The commands that a word may be a misspelling of. */
function commandsNear(word: string): { camel: string | undefined; near: readonly string[] } {
  const known = NEAR.get(word);
  if (known !== undefined) return known;
  if (NEAR.size >= MAX_CACHED_WORDS) NEAR.clear();
  const near = PLAIN_COMMANDS.filter((name) => editDistance(word, name, 1) <= 1);
  const found = { camel: findNearCommand(word), near };
  NEAR.set(word, found);
  return found;
}

function fits(command: string | null, content: string): boolean {
  if (command === 'end') return content === '';
  const kind = command === null ? undefined : findCommand(command)?.content.kind;
  switch (kind) {
    case undefined:
      return SOUND.test(content);
    case 'asset':
      return FILE.test(content) || content === 'none';
    case 'scene':
      return FILE.test(content);
    case 'milliseconds':
      return /^\d+$/.test(content);
    case 'label':
    case 'jump':
      return /^[A-Za-z_]\w*$/.test(content) || /[<>=]=/.test(content);
    case 'assignment':
      return /^[^\s=]+=[^=]/.test(content);
    case 'choices':
      return /[^\\]:/.test(content);
    case 'values':
      return (EFFECTS as readonly string[]).includes(content);
    default:
      return false;
  }
}

const STANDS_ALONE = {
  'zh-CN': '这个引擎不把它接到上一行，这一行会成为单独的、内容为空的台词。',
  en: 'this engine does not take it up, and it becomes a line of its own, with empty dialogue.',
};

/** Checks lines without a colon: the whole line is dialogue, or a bare command. */
export function checkBareLine(statement: Statement, report: LineReport, supportsContinuation: boolean): void {
  const { text, end } = statement;
  const first = text.charCodeAt(0);
  if ((first === 32 || first === 9) && /^[ \t]+[-|]/.test(text)) {
    if (!supportsContinuation) report.add('continuation-line', 0, end, { values: { effect: STANDS_ALONE } });
    return;
  }
  if (first >= 128 && first < 0xff00) return;
  const match = /^\s*([A-Za-z]+)(\s*)/.exec(text);
  if (match === null) return;
  const [all, word = '', blanks = ''] = match;
  const command = findCommand(word);
  const start = all.length - word.length - blanks.length;
  const rest = text.slice(all.length, end);
  if (command === undefined || command.name === 'say') {
    if (rest === '' && CAMEL.test(word) && start === 0) checkLoneWord(word, statement, report);
    return;
  }
  const isLone = rest === '';
  const hasArguments = blanks !== '' && /^-\S/.test(rest);
  const isCamel = /[A-Z]/.test(word);
  if (
    !isLone &&
    !hasArguments &&
    (blanks === '' || !(isCamel || FILE.test(rest.split(/\s/)[0] ?? '') || /^\d+\s*$/.test(rest)))
  )
    return;
  const replacement =
    isLone && command.bare === 'fine' ? word : isLone ? `${word}:` : `${word}:${hasArguments ? ' ' : ''}`;
  report.add(isLone && command.bare === 'fine' ? 'command-spacing' : 'missing-colon', 0, end, {
    values: { command: word, word },
    fixes: [replaceFix(0, isLone ? end : all.length, replacement)],
  });
}

function checkLoneWord(word: string, statement: Statement, report: LineReport): void {
  const name = commandsNear(word).camel;
  if (name === undefined) return;
  report.add('unknown-command', 0, statement.end, {
    values: { word, content: word, suggestion: { 'zh-CN': `是不是想写 ${name}？`, en: ` Did you mean ${name}?` } },
    fixes: [replaceFix(0, word.length, name)],
  });
}

/** The camel-case command that a word may be a misspelling of. */
function findNearCommand(word: string): string | undefined {
  const limit = tolerance(word.length);
  const lower = word.toLowerCase();
  return CAMEL_COMMANDS.find((command) => editDistance(lower, command.lower, limit) <= limit)?.name;
}

/** Checks a bare command: some need a content. */
export function checkBareCommand(statement: Statement, report: LineReport): void {
  const { command, end } = statement;
  if (command === null || command.bare === 'fine') return;
  if (command.name === 'filmMode') {
    report.add('film-mode-word', 0, end, {
      fixes: [replaceFix(0, end, 'filmMode:on'), replaceFix(0, end, 'filmMode:none')],
    });
    return;
  }
  if (command.name === 'setTextbox' || command.name === 'say') return;
  report.add('missing-content', 0, end, {
    values: {
      command: command.name,
      effect: {
        'zh-CN': `引擎会把 ${command.name} 这个词本身当成内容。`,
        en: `the engine takes the word ${command.name} itself for what is meant.`,
      },
    },
    ...(command.bare === 'closes-with-none' && { fixes: [replaceFix(0, end, `${command.name}:none`)] }),
  });
}

const NO_SCENE = {
  'zh-CN': '没有要去的场景，这一句会失败，故事接着往下走。',
  en: 'there is no scene to go to, so this fails and the story goes on with the next line.',
};
const NO_LABEL = {
  'zh-CN': '没有要去的标签，这一句会被跳过。',
  en: 'there is no label to go to, so this is skipped.',
};

/** `changeScene:;`, `jumpLabel:;`: no target, or `none`. True when there is a target. */
export function checkGoesSomewhere(statement: Statement, report: LineReport): boolean {
  const { command, content, contentStart, contentEnd, colon } = statement;
  const isScene = command?.content.kind === 'scene';
  if (content !== '' && !(isScene && content === 'none')) return true;
  report.add('missing-content', content === '' ? colon : contentStart, content === '' ? colon + 1 : contentEnd, {
    values: { command: command?.name ?? '', effect: isScene ? NO_SCENE : NO_LABEL },
  });
  return false;
}

/** `filmMode:off` turns film mode on. */
export function checkFilmMode(statement: Statement, report: LineReport): void {
  if (!/^(off|false|close|disable|hide|0|no)$/i.test(statement.content)) return;
  const { contentStart, contentEnd } = statement;
  report.add('film-mode-word', contentStart, contentEnd, { fixes: [replaceFix(contentStart, contentEnd, 'none')] });
}
