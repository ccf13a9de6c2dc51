import { toExactSize } from '../../exact-size.ts';
import { checkContent } from '../diagnostics/check-content.ts';
import { checkArguments } from '../diagnostics/rules/arguments.ts';
import {
  cannotBeCommand,
  checkBareCommand,
  checkBareLine,
  checkCommandWord,
} from '../diagnostics/rules/command-words.ts';
import { checkDialogueText, checkGluedArgument } from '../diagnostics/rules/dialogue-text.ts';
import {
  checkAfterSemicolon,
  checkForeignComment,
  checkFullWidth,
  checkMissingSemicolon,
} from '../diagnostics/rules/punctuation.ts';
import { checkSpeakerShape, isPlainName } from '../diagnostics/rules/speakers.ts';
import { referToInterpolations } from '../diagnostics/rules/variables.ts';
import type { Engine } from '../engine/engine.ts';
import { isEngineAtLeast } from '../engine/engine-version.ts';
import type { Command } from './commands.ts';
import { ENGINE_COMMAND, SAY } from './commands.ts';
import { type FigureChange, toFigureChange } from './figure-sides.ts';
import { type Finding, LineReport, type Reference } from './line-report.ts';
import { HAS, Statement } from './scan.ts';
import { readSpeakerWord } from './speaker-words.ts';

/** Project data that a line's findings depend on; when it changes, the line's references are resolved again. */
export const DEPENDS = {
  files: 1,
  variables: 2,
  figures: 4,
  animations: 8,
  speakers: 16,
  config: 32,
  commands: 64,
} as const;

/** Properties of a line that matter for other lines. */
export const LINE = {
  /** Label, jump, choice, scene change or end. */
  flow: 1,
  /** The story waits at this line. */
  pauses: 2,
  /** Has `-when`. */
  conditional: 4,
  /** Shows or removes a figure. */
  figure: 8,
  /** A comment that suppresses a code on the next line. */
  ignore: 16,
  concat: 32,
  notend: 64,
  /** The engine runs the next line immediately. */
  next: 128,
  /** First line of a statement written over several lines. */
  folded: 256,
  /** Continuation of the statement above. */
  continued: 512,
} as const;

/** Everything stored of a line. Contains no line number, so that a line can move without being analysed again. */
export interface LineRecord {
  text: string;
  command: Command | null;
  flags: number;
  /** Null when the line does not name one. */
  speaker: string | null;
  /** Null for lines other than `changeFigure`. */
  figure: FigureChange | null;
  references: readonly Reference[] | null;
  findings: readonly Finding[] | null;
  /** Bits of `DEPENDS`. */
  depends: number;
  resolved: Resolved | null;
}

/** Findings of a line's references, and the value of the index's clock when they were computed. */
export interface Resolved {
  at: number;
  findings: readonly Finding[];
}

const BLANK: LineRecord = {
  text: '',
  command: null,
  flags: 0,
  speaker: null,
  figure: null,
  references: null,
  findings: null,
  depends: 0,
  resolved: null,
};

const FLOW_COMMANDS = new Set(['label', 'jumpLabel', 'choose', 'changeScene', 'callScene', 'end']);
const MEANT_AS_COMMAND = ['unknown-command', 'command-case', 'command-spacing', 'missing-colon'] as const;
/** Characters that some rule on dialogue needs: without them only an unusual speaker name can yield findings. */
const NOTABLE = HAS.backslash | HAS.brace | HAS.bracket | HAS.pipe | HAS.slashes | HAS.hash;

/** Analyses one line on its own; rules that need the project leave references to be resolved later. Never throws. */
export function analyzeLine(text: string, engine: Engine): LineRecord {
  if (text === '') return BLANK;
  const statement = new Statement(text, 0, 0);
  const { command, mask, colon } = statement;
  if (command === null) {
    if (mask === 0) return BLANK;
    return toRecord(text, null, text.includes('@ignore') ? LINE.ignore : 0, null, NOTHING);
  }
  if (command === SAY) {
    return isOfEngine(statement, engine) ? analyzeEngineCommand(statement) : analyzeDialogue(statement, engine);
  }
  const report = REPORT.clear();
  if (engine.commands !== null && !engine.commands.has(command.name)) {
    const values = { command: command.name, version: engine.version };
    report.add('command-version', 0, colon < 0 ? statement.end : colon, { values });
    return toRecord(text, SAY, LINE.pauses, null, report);
  }
  let flags = command.pauses ? LINE.pauses : 0;
  if (FLOW_COMMANDS.has(command.name)) flags |= LINE.flow;
  if (command.name === 'changeFigure') flags |= LINE.figure;
  if (colon < 0) {
    checkBareCommand(statement, report);
    flags |= command.autoNext ? LINE.next : 0;
  } else {
    checkContent(statement, command, report, engine);
    if (statement.argsStart < statement.end) {
      checkArguments(statement, report, engine);
      if (statement.argument('when') !== undefined) flags |= LINE.conditional;
    }
    if (statement.isNext) flags |= LINE.next;
    if (mask & HAS.brace) {
      const isJson = command.content.kind === 'transform' || command.content.kind === 'frames';
      referToInterpolations(statement, report, isJson ? 'value' : 'interpolation');
    }
  }
  if (mask & HAS.slashes) checkForeignComment(statement, report);
  finishLine(statement, report);
  const record = toRecord(text, command, flags, null, report);
  if (flags & LINE.figure) record.figure = toFigureChange(statement, engine.version);
  return record;
}

/** True when the game's own engine has a command that is not in our table and the line uses it. */
function isOfEngine(statement: Statement, engine: Engine): boolean {
  const first = statement.text.charCodeAt(0);
  if (engine.commands === null || first >= 128) return false;
  const word = statement.word;
  return word !== 'say' && word.length <= 40 && engine.commands.has(word);
}

function analyzeEngineCommand(statement: Statement): LineRecord {
  const report = REPORT.clear();
  const { text, word } = statement;
  // The parser's own comments yield no finding.
  if (!word.startsWith('_')) report.refer('engine-command', word, 0, word.length);
  // It is unknown whether the command pauses; treating it as a pause avoids false reports of endless loops.
  const flags = LINE.pauses | (statement.argument('when') === undefined ? 0 : LINE.conditional);
  return toRecord(text, ENGINE_COMMAND, flags, null, report);
}

function analyzeDialogue(statement: Statement, engine: Engine): LineRecord {
  const { text, mask, colon, end } = statement;
  const report = REPORT.clear();
  let flags: number = LINE.pauses;
  let speaker: string | null = null;
  if (colon >= 0) {
    const word = readSpeakerWord(text, colon, isPlainWord);
    if (word.isPlain) speaker = word.text;
    else {
      speaker = statement.speaker;
      if (colon > 0 && speaker !== null) {
        checkCommandWord(statement, report, engine);
        checkSpeakerShape(statement, report);
      }
    }
  } else {
    checkBareLine(statement, report, isEngineAtLeast(engine.version, '4.6.3') && !text.includes('-concat'));
    if (report.has('continuation-line')) {
      finishLine(statement, report);
      return toRecord(text, SAY, flags, null, report);
    }
  }
  if (mask & HAS.fullWidth) checkFullWidth(statement, report);
  // A mistyped command is neither dialogue nor has its arguments, and one finding is enough.
  const isCommand = MEANT_AS_COMMAND.some((code) => report.has(code)) || report.refersTo('old-command');
  if (mask & NOTABLE) {
    if (mask & (HAS.slashes | HAS.hash)) checkForeignComment(statement, report);
    if (mask & (HAS.bracket | HAS.pipe) && !isCommand) checkDialogueText(statement, report, engine);
    if (mask & HAS.brace) referToInterpolations(statement, report);
  } else if (!isCommand && (text.charCodeAt(end - 1) === 101 || statement.argsStart < end)) {
    // The one text that is the word `none` ends in an e, or arguments follow it.
    checkDialogueText(statement, report, engine);
  }
  if (!isCommand) checkGluedArgument(statement, report);
  if (statement.argsStart < end) {
    if (!isCommand) checkArguments(statement, report, engine);
    for (const { name } of statement.arguments) {
      if (name === 'when') flags |= LINE.conditional;
      else if (name === 'concat') flags |= LINE.concat;
      else if (name === 'notend') flags |= LINE.notend;
      else if (name === 'next' && statement.isNext) flags |= LINE.next;
    }
  }
  finishLine(statement, report);
  return toRecord(text, SAY, flags, speaker, report);
}

/** True for a word before a colon that is certainly a name, whatever follows. */
function isPlainWord(word: string): boolean {
  return word !== 'say' && !word.includes('\\') && cannotBeCommand(word) && isPlainName(word);
}

function finishLine(statement: Statement, report: LineReport): void {
  if ((statement.mask & HAS.semicolon) === 0) checkMissingSemicolon(statement, report);
  else if (statement.end < statement.text.length - 1) checkAfterSemicolon(statement, report);
}

const NOTHING = new LineReport();
/** One report is reused for all lines: analysis is synchronous, and a record takes over the report's lists. */
const REPORT = new LineReport();

function toRecord(
  text: string,
  command: Command | null,
  flags: number,
  speaker: string | null,
  report: LineReport,
): LineRecord {
  const references = toListOfRecord(report.references);
  const findings = toListOfRecord(report.findings);
  let depends = 0;
  if (references !== null) for (const reference of references) depends |= DEPENDENCIES[reference.role];
  return { text, command, flags, speaker, figure: null, references, findings, depends, resolved: null };
}

/** A list of one entry was written as such, and has its size. */
function toListOfRecord<T>(list: readonly T[] | null): readonly T[] | null {
  return list === null || list.length === 1 ? list : toExactSize(list);
}

const DEPENDENCIES: Readonly<Record<Reference['role'], number>> = {
  asset: DEPENDS.files,
  scene: DEPENDS.files,
  'loose-file': DEPENDS.files,
  animation: DEPENDS.animations,
  label: 0,
  jump: 0,
  write: 0,
  input: 0,
  figure: 0,
  target: DEPENDS.figures,
  condition: DEPENDS.variables,
  comparison: DEPENDS.variables,
  'compared-text': DEPENDS.config,
  calculation: DEPENDS.variables,
  interpolation: DEPENDS.variables,
  'spaced-name': DEPENDS.variables,
  value: 0,
  'maybe-speaker': DEPENDS.speakers,
  'maybe-statement': DEPENDS.speakers,
  'odd-speaker': DEPENDS.speakers,
  rows: DEPENDS.config,
  'old-command': DEPENDS.commands,
  'engine-command': 0,
};
