import { say } from '../../../i18n/diagnostics.ts';
import type { Engine } from '../../engine/engine.ts';
import { isEngineAtLeast } from '../../engine/engine-version.ts';
import { findNearNames } from '../../project-index/near-names.ts';
import { type ArgumentSpec, type Command, SAY } from '../../syntax/commands.ts';
import { type LineReport, replaceFix } from '../../syntax/line-report.ts';
import type { Statement } from '../../syntax/scan.ts';
import { type Argument, endOfName } from '../../syntax/scan-arguments.ts';
import { checkJson } from './animations.ts';
import { checkCondition } from './conditions.ts';
import { referToFile } from './files.ts';
import { checkUnknownArgument } from './unknown-arguments.ts';

const SHORT_VOICE = /\.(?:ogg|mp3|wav)$/i;

/** Checks every argument of a statement against the command table. */
export function checkArguments(statement: Statement, report: LineReport, engine: Engine): void {
  const { command, text } = statement;
  if (command === null) return;
  for (const argument of statement.arguments) {
    if (report.isFull) return;
    if (argument.isVoice) {
      if (command !== SAY) continue;
      if (SHORT_VOICE.test(argument.raw ?? '')) {
        referToFile(statement, report, {
          name: argument.raw ?? '',
          start: argument.nameStart,
          end: argument.nameEnd,
          folder: 'vocal',
        });
      }
      continue;
    }
    const spec = command.arguments.get(argument.name);
    if (spec !== undefined) checkBlankAfter(statement, argument, report, engine);
    if (spec === undefined) {
      checkUnknownArgument(statement, argument, report, engine);
      // After text was taken for an argument, the remaining arguments are part of that text.
      if (
        report.has('dash-in-text') ||
        report.has('setvar-dash') ||
        report.has('choose-dash') ||
        report.has('json-dash')
      )
        return;
      continue;
    }
    if (
      spec.since !== undefined &&
      !isEngineAtLeast(engine.version, spec.since) &&
      engine.arguments?.has(spec.name) !== true
    ) {
      report.add('argument-version', argument.nameStart, argument.nameEnd, {
        values: { name: spec.name, since: spec.since, version: engine.version },
      });
    }
    if (argument.raw === null || !argument.raw.includes('{') || spec.type === 'transform' || spec.type === 'json') {
      checkValue(statement, argument, spec, report, engine);
    }
  }
  void text;
}

function checkBlankAfter({ text }: Statement, { raw, nameEnd }: Argument, report: LineReport, engine: Engine): void {
  const end = endOfName(text, { raw, nameEnd }, engine.version);
  if (end === nameEnd) return;
  report.add('blank-after-argument', nameEnd, end, {
    values: { version: engine.version },
    fixes: [replaceFix(nameEnd, end, '')],
  });
}

function checkValue(
  statement: Statement,
  argument: Argument,
  spec: ArgumentSpec,
  report: LineReport,
  engine: Engine,
): void {
  const { raw, valueStart, valueEnd, value } = argument;
  switch (spec.type) {
    case 'condition':
      if (raw !== null) checkCondition({ text: raw, start: valueStart, end: valueEnd }, report);
      return;
    case 'values':
      if (raw !== null && !spec.values?.includes(raw) && !checkJoinedValue(statement, argument, report))
        addInvalid(argument, spec, report);
      return;
    case 'number':
      if (typeof value === 'string' && checkJoinedValue(statement, argument, report)) return;
      if (typeof value === 'string' || (typeof value === 'number' && isOutOfRange(value, spec)))
        addInvalid(argument, spec, report);
      return;
    case 'asset':
      checkAssetArgument(statement, argument, spec, report, engine);
      return;
    case 'animation':
      // Engines such as 4.5.14 take 0 for no value, and the editor WebGAL Terre writes it so.
      if (raw !== null && raw !== '' && raw !== 'none' && raw !== '0')
        report.refer('animation', raw, valueStart, valueEnd);
      return;
    case 'target':
    case 'figure':
      if (raw !== null && raw !== '') report.refer('target', String(value), valueStart, valueEnd);
      return;
    case 'transform':
      if (raw !== null) checkJson(statement, report, { start: valueStart, end: valueEnd, isList: false });
      return;
    default:
      if (spec.name === 'id' && statement.command?.name === 'changeFigure' && raw !== null) {
        report.refer('figure', String(value), valueStart, valueEnd);
      }
  }
}

/** Reports an argument that lost the blank before it and became part of the previous value: `-duration=1-next`. */
function checkJoinedValue({ command }: Statement, argument: Argument, report: LineReport): boolean {
  const { name, raw, nameStart, valueEnd } = argument;
  const [value, ...flags] = (raw ?? '').split(/(?<=.)-/);
  if (flags.length === 0 || !flags.every((flag) => command?.arguments.get(flag)?.type === 'flag')) return false;
  const split = [`-${name}=${value}`, ...flags.map((flag) => `-${flag}`)].join(' ');
  report.add('joined-arguments', nameStart - 1, valueEnd, {
    values: { name: `${name}=${raw}`, split },
    fixes: [replaceFix(nameStart - 1, valueEnd, split)],
  });
  return true;
}

function isOutOfRange(value: number, spec: ArgumentSpec): boolean {
  return (spec.minimum !== undefined && value < spec.minimum) || (spec.maximum !== undefined && value > spec.maximum);
}

function addInvalid(argument: Argument, spec: ArgumentSpec, report: LineReport): void {
  const { raw, valueStart, valueEnd, nameStart, nameEnd } = argument;
  const near = spec.values === undefined || raw === null ? undefined : findNearNames(raw, spec.values, 1)[0];
  report.add('invalid-value', raw === '' ? nameStart : valueStart, raw === '' ? nameEnd : valueEnd, {
    values: { name: spec.name, value: raw ?? '', allowed: allowed(spec) },
    ...(near !== undefined && { fixes: [replaceFix(valueStart, valueEnd, near)] }),
  });
}

function allowed(spec: ArgumentSpec) {
  if (spec.values !== undefined) {
    return say('notes.allowed', { values: spec.values });
  }
  if (spec.maximum !== undefined) {
    return say('notes.numberRange', { minimum: spec.minimum ?? 0, maximum: spec.maximum });
  }
  return say('notes.number');
}

function checkAssetArgument(
  statement: Statement,
  argument: Argument,
  spec: ArgumentSpec,
  report: LineReport,
  engine: Engine,
): void {
  const { raw, valueStart, valueEnd } = argument;
  if (raw === null || spec.folder === undefined) return;
  if (spec.name === 'vocal' && !isEngineAtLeast(engine.version, '4.6.1') && !/https?:\/\//.test(raw)) {
    report.add('vocal-argument-version', argument.nameStart - 1, valueEnd, {
      values: { file: raw },
      ...(SHORT_VOICE.test(raw) && { fixes: [replaceFix(argument.nameStart, valueEnd, raw)] }),
    });
  }
  referToFile(statement, report, { name: raw, start: valueStart, end: valueEnd, folder: spec.folder });
}

/** `changeFigure:-right`: an argument in place of the file is taken for the file. */
export function checkFlagForFile(statement: Statement, report: LineReport, command: Command): boolean {
  const { text, contentStart, contentEnd } = statement;
  if (text.charCodeAt(contentStart) !== 45 || command.content.kind !== 'asset') return false;
  const written = text.slice(contentStart, contentEnd);
  if (!command.arguments.has(written.slice(1).split('=')[0] ?? '')) return false;
  report.add('missing-file', contentStart, contentEnd, {
    values: {
      folder: `game/${command.content.folder}`,
      file: written,
      effect: say('notes.fileFirst'),
      near: '',
    },
    fixes: [replaceFix(contentStart, contentEnd, `none ${written}`)],
  });
  return true;
}

/** `a.png next`: a flag without its hyphen. */
export function checkMissingDash(statement: Statement, report: LineReport, command: Command): void {
  const { text, contentStart, contentEnd } = statement;
  const content = text.slice(contentStart, contentEnd);
  const blank = content.lastIndexOf(' ');
  if (blank < 0) return;
  const word = content.slice(blank + 1);
  const spec = command.arguments.get(word.split('=')[0] ?? '');
  if (spec === undefined || (spec.type !== 'flag' && !word.includes('='))) return;
  const at = contentStart + blank + 1;
  report.add('missing-dash', at, contentEnd, { values: { word }, fixes: [replaceFix(at, at, '-')] });
}

/** Language data: units of time in English and Chinese. */
const DURATION = /^(\d+(?:\.\d+)?)\s*(s|秒|ms|毫秒)$/i;
/** Language data: the unit of seconds. */
const SECONDS = /^(?:s|秒)$/i;

/** Checks that `wait` has a number and no `-next`. */
export function checkWait(statement: Statement, report: LineReport): void {
  const { content, contentStart, contentEnd } = statement;
  if (content.includes('{')) return;
  const [first] = statement.arguments;
  // A blank before the minus makes the number an argument.
  const written = content === '' && /^\d/.test(first?.name ?? '') ? `-${first?.name}` : content;
  const isNumber = written !== '' && written !== 'none' && !Number.isNaN(Number(written));
  if (!isNumber || Number(written) < 0) {
    const seconds = DURATION.exec(content);
    const fixed =
      seconds === null ? null : String(Math.round(Number(seconds[1]) * (SECONDS.test(seconds[2] ?? '') ? 1000 : 1)));
    report.add('wait-not-number', contentStart, Math.max(contentEnd, contentStart + 1), {
      values: {
        value: written,
        problem: isNumber ? say('notes.negative') : say('notes.notNumber'),
      },
      ...(fixed !== null && { fixes: [replaceFix(contentStart, contentEnd, fixed)] }),
    });
  }
  const next = statement.argument('next');
  if (next !== undefined && next.value !== false) {
    report.add('wait-next', next.nameStart - 1, Math.max(next.nameEnd, next.valueEnd), {
      fixes: [
        replaceFix(
          statement.text.slice(0, next.nameStart - 1).trimEnd().length,
          Math.max(next.nameEnd, next.valueEnd),
          '',
        ),
      ],
    });
  }
}
