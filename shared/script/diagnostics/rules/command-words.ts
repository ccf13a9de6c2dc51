import { type DiagnosticMessage, say } from '../../../i18n/diagnostics.ts';
import type { Engine } from '../../engine/engine.ts';
import { isEngineAtLeast } from '../../engine/engine-version.ts';
import { toHalfWidth } from '../../project-index/near-names.ts';
import { FOREIGN_COMMANDS, findCommand } from '../../syntax/commands.ts';
import { type Finding, type LineReport, replaceFix } from '../../syntax/line-report.ts';
import { HAS, type Statement } from '../../syntax/scan.ts';
import { BY_LOWER_CASE, CAMEL, commandsNear, FILE, pluralOf, SOUND, suggestCommand } from './suggest-command.ts';

const VERBS =
  /^(add|call|change|choose|clear|close|fade|get|go|hide|init|jump|load|move|open|pixi|play|remove|reset|run|set|show|start|stop|switch|unlock|update|wait)[A-Z]/;
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

/** Words that are never names: always intended as commands. */
const NEVER_NAMES = new Set(['comment', 'return']);
/** Commands of old or newer engines. */
const OLD_ENGINE_COMMAND =
  /^(?:set(?:Bg|Fig)(?:Ani|Transform|Filter)|changeBG(?:_next)?|changeP(?:_left|_right)?(?:_next)?)$/;

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
  if (OLD_ENGINE_COMMAND.test(plain) && plain === word) {
    report.refer('old-command', word, 0, colon, { note: statement.content });
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
          ? say('notes.didYouMean', { near: known })
          : SOUND.test(content)
            ? say('notes.voicePlace', { content })
            : ''),
    },
    ...(known !== null && !FOREIGN_COMMANDS.has(plain) && { fixes: [replaceFix(0, colon, known)] }),
  });
  // Only for a voice is the folder known; for other files one finding is enough.
  if (isFile && suggestion === null) report.refer('loose-file', content, statement.contentStart, statement.contentEnd);
}

/** The finding for a command of an old engine that is too rare for a finding about the whole game. */
export function oldCommandFinding(word: string, content: string, end: number): Finding {
  const command = BY_LOWER_CASE.get(word.toLowerCase());
  // `changeBG` of WebGAL 3 is a mistyped `changeBg` elsewhere.
  if (command !== undefined) {
    return { code: 'command-case', start: 0, end, values: { word, command }, fixes: [replaceFix(0, end, command)] };
  }
  const known = FOREIGN_COMMANDS.get(word) ?? 'setAnimation';
  return {
    code: 'unknown-command',
    start: 0,
    end,
    values: {
      word,
      content,
      suggestion: say('notes.oldCommand', { known }),
    },
  };
}

const OTHER_WORDS: ReadonlyMap<string, DiagnosticMessage> = new Map([
  ['comment', say('notes.comment')],
  ['return', say('notes.return')],
  ['if', say('notes.condition')],
]);

const STANDS_ALONE = say('notes.standsAlone');

const VOICE_ONLY = /^[ \t]+-(?:[^;-]+\.(?:ogg|mp3|wav)|vocal=\S+|fontSize=\w+)(?:\s+-|\s*;|\s*$)/;
/** An argument of dialogue that no one puts on a line of its own. */
const DIALOGUE_ONLY = /\s-(?:vocal=\S|fontSize=\w)/;

/** Checks lines without a colon: the whole line is dialogue, or a bare command. */
export function checkBareLine(statement: Statement, report: LineReport, supportsContinuation: boolean): void {
  const { text, end } = statement;
  const first = text.charCodeAt(0);
  if ((first === 32 || first === 9) && /^[ \t]+[-|]/.test(text)) {
    // Dialogue without a text, as the editor WebGAL Terre writes it to play a voice.
    if (!supportsContinuation && !VOICE_ONLY.test(text) && !DIALOGUE_ONLY.test(text))
      report.add('continuation-line', 0, end, { values: { effect: STANDS_ALONE } });
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
    values: { word, content: word, suggestion: say('notes.didYouMean', { near: name }) },
    fixes: [replaceFix(0, word.length, name)],
  });
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
      effect: say('notes.ownName', { name: command.name }),
    },
    ...(command.bare === 'closes-with-none' && { fixes: [replaceFix(0, end, `${command.name}:none`)] }),
  });
}

const NO_SCENE = say('notes.noScene');
const NO_LABEL = say('notes.noLabel');

/** `changeScene:;`, `jumpLabel:;`: no target, or `none`. True when there is a target. */
export function checkHasTarget(statement: Statement, report: LineReport): boolean {
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
