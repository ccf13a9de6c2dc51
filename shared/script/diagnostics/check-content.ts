import { say } from '../../i18n/diagnostics.ts';
import type { Engine } from '../engine/engine.ts';
import { isEngineAtLeast } from '../engine/engine-version.ts';
import type { Command } from '../syntax/commands.ts';
import type { LineReport } from '../syntax/line-report.ts';
import { isPlaceholder } from '../syntax/placeholders.ts';
import type { Statement } from '../syntax/scan.ts';
import { checkJson } from './rules/animations.ts';
import { checkFlagForFile, checkMissingDash, checkWait } from './rules/arguments.ts';
import { checkChoose } from './rules/choose-options.ts';
import { checkFilmMode, checkHasTarget } from './rules/command-words.ts';
import { addNothingChosen, referToFile } from './rules/files.ts';
import { checkAssignment } from './rules/variables.ts';

/** Commands that have no use without a file; for others an empty content means “stop” or “remove”. */
const NEEDS_FILE = new Set(['unlockCg', 'unlockBgm', 'playVideo']);

/** Checks the text between the colon and the arguments against the command's declaration. */
export function checkContent(statement: Statement, command: Command, report: LineReport, engine: Engine): void {
  const { contentStart: start, contentEnd: end } = statement;
  const { content: spec } = command;
  switch (spec.kind) {
    case 'asset':
    case 'scene': {
      const name = statement.content;
      if (spec.kind === 'scene' && !checkHasTarget(statement, report)) return;
      if (checkFlagForFile(statement, report, command)) return;
      checkMissingDash(statement, report, command);
      if (report.has('missing-dash')) return;
      if (name === '' && NEEDS_FILE.has(command.name)) {
        const { colon } = statement;
        addNothingChosen(report, { start: colon, end: colon + 1, command: command.name, folder: spec.folder });
        return;
      }
      referToFile(statement, report, { name, start, end, folder: spec.folder });
      if (command.name === 'unlockCg' || command.name === 'unlockBgm') {
        if (statement.argument('name') === undefined) report.add('unlock-name', 0, statement.colon);
      }
      return;
    }
    case 'choices':
      checkChoose(statement, report);
      return;
    case 'label':
      if (end > start) report.refer('label', statement.content, start, end);
      return;
    case 'jump':
      if (!checkHasTarget(statement, report)) return;
      if (!statement.content.includes('{')) report.refer('jump', statement.content, start, end, { note: 'jump' });
      return;
    case 'assignment':
      checkAssignment(statement, report);
      return;
    case 'variable':
      if (end === start) report.add('input-without-variable', statement.colon, statement.colon + 1);
      else if (!statement.content.includes('{')) report.refer('input', statement.content, start, end);
      return;
    case 'milliseconds':
      checkWait(statement, report);
      return;
    case 'transform':
    case 'frames':
      if (end > start && statement.content !== 'none')
        checkJson(statement, report, { start, end, isList: spec.kind === 'frames' });
      if (hasNoTarget(statement) && !report.has('json-dash')) {
        report.add('missing-target', 0, statement.colon, { values: { command: command.name } });
      }
      return;
    case 'animation':
      if (end === start || isPlaceholder(statement.content)) {
        const place = end === start ? { start: statement.colon, end: statement.colon + 1 } : { start, end };
        addNothingChosen(report, { ...place, command: command.name, folder: 'animation' });
        return;
      }
      if (end > start && !statement.content.includes('{')) report.refer('animation', statement.content, start, end);
      if (hasNoTarget(statement)) {
        report.add('missing-target', 0, statement.colon, { values: { command: command.name } });
      }
      return;
    case 'values':
      checkNamedEffect(statement, command, report, engine);
      return;
    case 'nothing':
      if (command.name === 'setTransition' && hasNoTarget(statement)) {
        report.add('missing-target', 0, statement.colon, { values: { command: command.name } });
      }
      return;
    case 'switch':
      if (command.name === 'filmMode') checkFilmMode(statement, report);
      return;
    default:
  }
}

/** True without `-target`, and for one that the editor WebGAL Terre wrote before a target was chosen: `-target=`. */
const hasNoTarget = (statement: Statement) => (statement.argument('target')?.raw ?? '') === '';

function checkNamedEffect(statement: Statement, command: Command, report: LineReport, engine: Engine): void {
  const { content, contentStart, contentEnd } = statement;
  const values = command.content.kind === 'values' ? command.content.values : [];
  if (values.includes(content) || content.includes('{')) return;
  if (engine.effects?.has(content) === true) return;
  report.add('unknown-effect', contentStart, Math.max(contentEnd, contentStart + 1), {
    ...(command.name !== 'pixiPerform' && { severity: 'warning' as const }),
    values: {
      name: content,
      allowed: values,
      effect:
        command.name !== 'pixiPerform'
          ? say('notes.nothingHappens')
          : isEngineAtLeast(engine.version, '4.6.1')
            ? say('notes.skipsLine')
            : say('notes.stuck'),
    },
  });
}
