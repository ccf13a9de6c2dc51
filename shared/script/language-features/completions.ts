import { commandTexts } from '../../i18n/commands.ts';
import type { Locale } from '../../model/local-text.ts';
import { endingOf } from '../diagnostics/rules/files.ts';
import { isEngineAtLeast } from '../engine/engine-version.ts';
import type { ProjectIndex } from '../project-index/project-facts.ts';
import type { ScriptPlace } from '../project-index/symbols.ts';
import { EASES, FILE_ENDINGS, FOLDER_ENDINGS, TRANSFORM_KEYS } from '../syntax/command-values.ts';
import { type ArgumentSpec, type Command, listCommands, SAY } from '../syntax/commands.ts';
import { stageTargets } from '../syntax/figure-sides.ts';
import { Statement } from '../syntax/scan.ts';

export type CompletionKind =
  | 'command'
  | 'argument'
  | 'value'
  | 'asset'
  | 'scene'
  | 'label'
  | 'variable'
  | 'speaker'
  | 'animation'
  | 'figure'
  | 'transform';

/** A completion at the cursor. `start` and `end` are 0-based columns of the replaced text. */
export interface Completion {
  kind: CompletionKind;
  label: string;
  insert: string;
  start: number;
  end: number;
  documentation?: string;
  /** Path of the file, for a thumbnail. */
  assetPath?: string;
}

const LOWER_CASE_COMMANDS: ReadonlySet<string> = new Set(listCommands().map(({ name }) => name.toLowerCase()));

/** Limits the files offered at once; typing narrows them. */
const MAX_FILES = 500;

/** Completions at a position, most useful first. Reads the line from the index. */
export function completionsAt(index: ProjectIndex, place: ScriptPlace, locale: Locale): Completion[] {
  const whole = index.scene(place.path)?.toStatementPlace(place.line - 1, place.column - 1);
  if (whole === undefined) return completionsIn(index, place, locale);
  const found = completionsIn(index, { path: place.path, line: whole.line + 1, column: whole.column + 1 }, locale);
  // A statement can span several lines: columns of the folded statement differ from those of the line.
  const shift = whole.column - (place.column - 1);
  return shift === 0 ? found : found.map((one) => ({ ...one, start: one.start - shift, end: one.end - shift }));
}

function completionsIn(index: ProjectIndex, place: ScriptPlace, locale: Locale): Completion[] {
  const scene = index.scene(place.path);
  const text = scene?.records[place.line - 1]?.text ?? '';
  const cursor = Math.min(place.column - 1, text.length);
  const statement = new Statement(text, place.line - 1, 0);
  if (cursor > statement.end || text.length > 20_000) return [];
  const list = new CompletionList(index, locale, cursor);
  const brace = text.lastIndexOf('{', cursor - 1);
  const isJson = statement.command?.content.kind === 'transform' || statement.command?.content.kind === 'frames';
  if (
    brace >= 0 &&
    !isJson &&
    !text.slice(brace, cursor).includes('}') &&
    text[brace - 1] !== '\\' &&
    !/-(?:transform|blink|focus)=/.test(text)
  ) {
    list.addVariables(brace + 1);
    return list.found;
  }
  if (statement.colon < 0 || cursor <= statement.colon) {
    addWords(list, statement);
    return list.found;
  }
  const dash = text.lastIndexOf(' -', cursor - 1);
  if (dash >= statement.colon && cursor > dash + 1 && statement.argsStart <= dash) addArgument(list, statement, dash);
  else if (statement.command !== null) addContent(list, statement, { path: place.path, command: statement.command });
  return list.found;
}

function addWords(list: CompletionList, statement: Statement): void {
  if (/\s-\S*$/.test(statement.text.slice(0, list.cursor))) {
    list.addArguments(SAY, statement.text.lastIndexOf('-', list.cursor - 1) + 1, new Set());
    return;
  }
  for (const command of listCommands()) {
    if (command === SAY) continue;
    list.add(
      'command',
      command.name,
      `${command.name}${command.bare === 'fine' && command.content.kind === 'nothing' && command.arguments.size <= 3 ? ';' : ':'}`,
      0,
      commandTexts.translate(list.locale, command.doc),
    );
  }
  list.addSpeakers(0);
}

function addArgument(list: CompletionList, statement: Statement, dash: number): void {
  const { text, command } = statement;
  if (command === null) return;
  const equals = text.indexOf('=', dash);
  if (equals < 0 || equals >= list.cursor) {
    const given = new Set(
      statement.arguments.filter((argument) => argument.nameStart !== dash + 2).map((argument) => argument.name),
    );
    list.addArguments(command, dash + 2, given);
    if (command === SAY) list.addFiles('vocal', dash + 2, (file) => /\.(ogg|mp3|wav)$/i.test(file));
    return;
  }
  const spec = command.arguments.get(text.slice(dash + 2, equals).trim());
  if (spec !== undefined) list.addValues(spec, equals + 1, text);
}

function addContent(list: CompletionList, statement: Statement, where: { path: string; command: Command }): void {
  const { text, contentStart } = statement;
  const { content } = where.command;
  switch (content.kind) {
    case 'asset':
      list.addFiles(content.folder, contentStart);
      if (where.command.bare === 'closes-with-none')
        list.add('value', 'none', 'none', contentStart, commandTexts.translate(list.locale, where.command.doc));
      return;
    case 'scene':
      list.addFiles('scene', contentStart);
      return;
    case 'jump':
      list.addLabels(where.path, contentStart);
      return;
    case 'choices': {
      const colon = text.lastIndexOf(':', list.cursor - 1);
      const bar = Math.max(text.lastIndexOf('|', list.cursor - 1), statement.colon);
      if (colon <= bar) return;
      list.addLabels(where.path, colon + 1);
      list.addFiles('scene', colon + 1);
      return;
    }
    case 'assignment': {
      const equals = text.indexOf('=', contentStart);
      const from = equals >= 0 && equals < list.cursor ? wordStart(text, list.cursor) : contentStart;
      list.addVariables(from);
      return;
    }
    case 'variable':
      list.addVariables(contentStart);
      return;
    case 'animation':
      list.addAnimations(contentStart);
      return;
    case 'values':
      for (const value of content.values) list.add('value', value, value, contentStart);
      return;
    case 'switch':
      for (const value of where.command.name === 'filmMode' ? ['enable', 'none'] : ['hide', 'on'])
        list.add('value', value, value, contentStart);
      return;
    case 'transform':
    case 'frames':
      list.addTransformKeys(text);
      return;
    default:
  }
}

function wordStart(text: string, cursor: number): number {
  let from = cursor;
  while (from > 0 && /[\w$.\u0080-\uffff]/.test(text.charAt(from - 1))) from -= 1;
  return from;
}

class CompletionList {
  readonly found: Completion[] = [];
  readonly index: ProjectIndex;
  readonly locale: Locale;
  readonly cursor: number;

  constructor(index: ProjectIndex, locale: Locale, cursor: number) {
    this.index = index;
    this.locale = locale;
    this.cursor = cursor;
  }

  add(
    kind: CompletionKind,
    label: string,
    insert: string,
    start: number,
    documentation?: string,
    assetPath?: string,
  ): void {
    this.found.push({
      kind,
      label,
      insert,
      start: Math.min(start, this.cursor),
      end: this.cursor,
      ...(documentation !== undefined && { documentation }),
      ...(assetPath !== undefined && { assetPath }),
    });
  }

  addSpeakers(start: number): void {
    for (const name of this.index.speakers.names()) {
      // A command with wrong capitals is not a speaker, although the engine treats it as one.
      if (name !== '' && !LOWER_CASE_COMMANDS.has(name.toLowerCase())) this.add('speaker', name, `${name}:`, start);
    }
  }

  addVariables(start: number): void {
    for (const name of new Set(this.index.variables())) this.add('variable', name, name, start);
  }

  addLabels(path: string, start: number): void {
    const seen = new Set<string>();
    for (const record of this.index.scene(path)?.records ?? []) {
      for (const reference of record.references ?? []) if (reference.role === 'label') seen.add(reference.name);
    }
    for (const name of seen) this.add('label', name, name, start);
  }

  addAnimations(start: number): void {
    for (const name of this.index.animations ?? []) this.add('animation', name, name, start);
  }

  addFiles(folder: keyof typeof FOLDER_ENDINGS, start: number, accepts?: (file: string) => boolean): void {
    const endings = FOLDER_ENDINGS[folder] ?? FILE_ENDINGS.scene;
    let count = 0;
    for (const file of this.index.files.inFolder(folder)) {
      if (!(endings as readonly string[]).includes(endingOf(file)) || accepts?.(file) === false) continue;
      this.add(folder === 'scene' ? 'scene' : 'asset', file, file, start, undefined, `game/${folder}/${file}`);
      count += 1;
      if (count >= MAX_FILES) return;
    }
  }

  addArguments(command: Command, start: number, given: ReadonlySet<string>): void {
    for (const spec of command.arguments.values()) {
      if (given.has(spec.name) || spec.isInert) continue;
      if (spec.since !== undefined && !isEngineAtLeast(this.index.engineVersion, spec.since)) continue;
      this.add(
        'argument',
        spec.name,
        spec.type === 'flag' ? spec.name : `${spec.name}=`,
        start,
        commandTexts.translate(this.locale, spec.doc),
      );
    }
  }

  addValues(spec: ArgumentSpec, start: number, text: string): void {
    switch (spec.type) {
      case 'values':
        for (const value of spec.values ?? []) this.add('value', value, value, start);
        return;
      case 'flag':
        for (const value of ['true', 'false']) this.add('value', value, value, start);
        return;
      case 'asset':
        if (spec.folder !== undefined) this.addFiles(spec.folder, start);
        return;
      case 'animation':
        this.addAnimations(start);
        return;
      case 'target':
        for (const value of stageTargets(this.index.engineVersion)) this.add('value', value, value, start);
        for (const name of this.index.figures.names()) this.add('figure', name, name, start);
        return;
      case 'figure':
        for (const name of this.index.figures.names()) this.add('figure', name, name, start);
        return;
      case 'condition':
        this.addVariables(wordStart(text, this.cursor));
        return;
      case 'transform':
        this.addTransformKeys(text);
        return;
      default:
    }
  }

  /** Completes keys inside an opening quote, and curves after `"ease":"`. */
  addTransformKeys(text: string): void {
    const quote = text.lastIndexOf('"', this.cursor - 1);
    if (quote < 0) return;
    const before = text.slice(0, quote).trimEnd();
    if (before.endsWith('"ease":')) {
      for (const value of EASES) this.add('value', value, value, quote + 1);
    } else if (/[{,]$/.test(before)) {
      for (const key of TRANSFORM_KEYS) this.add('transform', key, key, quote + 1);
    }
  }
}
