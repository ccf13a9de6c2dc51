import { say } from '../../../i18n/diagnostics.ts';
import type { Engine } from '../../engine/engine.ts';
import { isEngineAtLeast } from '../../engine/engine-version.ts';
import { findNearNames } from '../../project-index/near-names.ts';
import { FILE_ENDINGS } from '../../syntax/command-values.ts';
import { ALL_ARGUMENTS, type Command, listCommands, SAY } from '../../syntax/commands.ts';
import { type LineReport, replaceFix } from '../../syntax/line-report.ts';
import type { Statement } from '../../syntax/scan.ts';
import type { Argument } from '../../syntax/scan-arguments.ts';

/** Sound files whose extension the short form does not support. */
const OTHER_SOUND = new RegExp(
  `\\.(?:${FILE_ENDINGS.sound.filter((ending) => !['ogg', 'mp3', 'wav'].includes(ending)).join('|')})$`,
  'i',
);

/** Finds the intended meaning of an argument that the command does not have. */
export function checkUnknownArgument(
  statement: Statement,
  argument: Argument,
  report: LineReport,
  engine: Engine,
): void {
  const { command, text } = statement;
  if (command === null || argument.name === '') return;
  const { name, nameStart, nameEnd } = argument;
  const start = nameStart - 1;
  if (command === SAY && OTHER_SOUND.test(name)) {
    report.add('voice-extension', start, nameEnd, {
      values: { file: name },
      ...(isEngineAtLeast(engine.version, '4.6.1') && { fixes: [replaceFix(nameStart, nameStart, 'vocal=')] }),
    });
    return;
  }
  const instead = command.misnamed.get(name);
  if (instead !== undefined) {
    const byContent = name === 'none' ? say('notes.writeNone', { name: command.name }) : '';
    report.add('misdocumented-argument', start, nameEnd, {
      values: {
        name,
        instead: instead === null ? byContent : say('notes.writeArgument', { instead }),
      },
      ...(instead !== null && { fixes: [replaceFix(nameStart, nameEnd, instead)] }),
    });
    return;
  }
  const known = [...command.arguments.keys()];
  const parts = name.split('-');
  if (parts.length > 1 && parts.every((part) => command.arguments.has(part.trim()))) {
    const split = parts.map((part) => `-${part.trim()}`).join(' ');
    report.add('joined-arguments', start, nameEnd, {
      values: { name, split },
      fixes: [replaceFix(start, nameEnd, split)],
    });
    return;
  }
  // The rest of a JSON value, which its own rule reports.
  if (TAKES_JSON.has(command) && /["{}[\]]|^\d/.test(name)) return;
  // The game's own engine may support more arguments than the published ones.
  if (!ALL_ARGUMENTS.has(name) && engine.arguments?.has(name) === true) return;
  if (checkResidue(statement, argument, report)) return;
  // The rest of a file name that contains ` -`: whether the file exists is checked against the project.
  if (command.content.kind === 'asset' && isFileName(argument.raw ?? name)) return;
  const near = findNearNames(name, known, 1)[0];
  // Characters that no argument name has: it was text.
  const isText = /[^\w\s.-]/.test(name) || text.charCodeAt(nameStart - 1) === 32;
  const isLost = command === SAY && !COMMAND_WORD.test(name) && (near === undefined || isText);
  if (isLost && checkLostText(statement, argument, report, 'dash-in-text')) return;
  if (report.has('choose-arrow-space') || (command.name === 'wait' && /^\d/.test(name))) return;
  if (near === undefined && command.name === 'choose' && checkLostText(statement, argument, report, 'choose-dash'))
    return;
  if (report.has('setvar-dash')) return;
  if (command.name === 'callScene' && isEngineAtLeast(engine.version, '4.6.3')) return;
  report.add('unknown-argument', start, nameEnd, {
    // Without visible effect: a figure without a side is in the middle.
    ...(command.name === 'changeFigure' && /^(?:middle|center|centre)$/.test(name) && { severity: 'info' as const }),
    values: {
      command: command === SAY ? say('notes.dialogue') : command.name,
      name,
      near: near === undefined ? '' : say('notes.didYouMeanArgument', { near }),
    },
    ...(near !== undefined && { fixes: [replaceFix(nameStart, nameEnd, near)] }),
  });
}

/** A command that was meant for a line of its own: `hello -setTextbox:hide;`. */
const COMMAND_WORD = new RegExp(
  `^(?:${listCommands()
    .map(({ name }) => name)
    .join('|')}):`,
);

/** Commands whose content or arguments can be JSON. */
const TAKES_JSON: ReadonlySet<Command> = new Set(
  listCommands().filter(
    ({ content, arguments: known }) =>
      content.kind === 'transform' ||
      content.kind === 'frames' ||
      [...known.values()].some(({ type }) => type === 'transform' || type === 'json'),
  ),
);

const FILE_NAME = new RegExp(`\\.(?:${[...new Set(Object.values(FILE_ENDINGS).flat())].join('|')})(?:=true)?$`, 'i');
const isFileName = (text: string) => FILE_NAME.test(text);

/**
 * Detects residue of the editor WebGAL Terre, which splits a text at ` -` and writes the part after it back with
 * `=true`. When the text still contains the same words, nothing is lost.
 */
function checkResidue(statement: Statement, argument: Argument, report: LineReport): boolean {
  const { name, raw, nameStart, valueEnd } = argument;
  const { text, contentStart, contentEnd } = statement;
  const words = name.replace(/[\s|]+$/, '');
  if (raw !== 'true' || words === '' || !text.slice(contentStart, contentEnd).includes(words)) return false;
  if (/^[A-Za-z]\w*$/.test(words)) return false;
  const hyphen = text.lastIndexOf('-', nameStart - 1);
  if (!report.has('argument-residue')) {
    const from = text.slice(0, hyphen).trimEnd().length;
    report.add('argument-residue', hyphen, valueEnd, {
      values: { residue: text.slice(hyphen, valueEnd) },
      fixes: [replaceFix(from, statement.end, '')],
    });
  }
  return true;
}

/** Reports text that was cut off as an argument: it contains blanks, digits or characters that no argument has. */
function checkLostText(
  statement: Statement,
  argument: Argument,
  report: LineReport,
  code: 'dash-in-text' | 'choose-dash',
): boolean {
  const { name, nameStart } = argument;
  const { text, contentStart, contentEnd, end } = statement;
  if (code === 'dash-in-text' && /^[A-Za-z][\w.]*$/.test(name) && text.charCodeAt(nameStart - 1) !== 32) return false;
  const hyphen = text.lastIndexOf('-', nameStart - 1);
  // Text after `//` or `#` is a misplaced comment, which has a finding of its own.
  if (report.has('slash-comment') && (text.lastIndexOf('//', hyphen) >= 0 || /^\s*#/.test(text))) return true;
  report.add(code, hyphen, end, {
    values: { shown: text.slice(contentStart, contentEnd), lost: text.slice(hyphen, end).trim() },
    fixes: [
      {
        title: say('fixes.spaceBeforeHyphen'),
        edits: [{ start: contentEnd, end: hyphen, text: '' }],
      },
    ],
  });
  return true;
}
