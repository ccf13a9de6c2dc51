import type { Locale, LocalText } from '../model/text.ts';
import { type ArgumentSpec, type Command, SAY } from './commands.ts';
import type { ProjectIndex } from './project-facts.ts';
import { type Argument, Statement } from './scan.ts';
import { definitionsOf, referencesOf, type ScriptPlace, symbolAt } from './symbols.ts';

/** What to show at a place. Columns are 0-based; `text` is Markdown. */
export interface Hover {
  start: number;
  end: number;
  text: string;
  /** A picture, sound or film to show with it. */
  assetPath?: string;
}

/** Documentation and facts about what stands at a place; null when there is nothing to say. */
export function hoverAt(index: ProjectIndex, place: ScriptPlace, locale: Locale): Hover | null {
  const text = index.scene(place.path)?.records[place.line - 1]?.text;
  if (text === undefined || text.length > 20_000) return null;
  const column = place.column - 1;
  const statement = new Statement(text, place.line - 1, 0);
  const { command, colon, end } = statement;
  if (command === null || column >= end) return null;
  if (command !== SAY && column <= (colon < 0 ? end : colon)) {
    return { start: 0, end: colon < 0 ? end : colon, text: describeCommand(command, locale) };
  }
  for (const argument of statement.arguments) {
    if (column < argument.nameStart || column > argument.nameEnd || argument.isVoice) continue;
    const spec = command.arguments.get(argument.name);
    if (spec !== undefined)
      return { start: argument.nameStart, end: argument.nameEnd, text: describeArgument(spec, locale) };
  }
  return describeSymbol(index, place, locale);
}

const words: Record<string, LocalText> = {
  uses: { 'zh-CN': '用到的地方', en: 'Used in places' },
  defined: { 'zh-CN': '在这里定义', en: 'Defined at' },
  standard: { 'zh-CN': '默认', en: 'If left out' },
  since: { 'zh-CN': '引擎版本', en: 'From engine' },
  values: { 'zh-CN': '可以写', en: 'Allowed' },
  example: { 'zh-CN': '例子', en: 'Example' },
};
const word = (key: keyof typeof words & string, locale: Locale) => words[key]?.[locale] ?? key;

/** A command's page, as Markdown. */
export function describeCommand(command: Command, locale: Locale): string {
  return `**${command.name}**\n\n${command.doc[locale]}\n\n${word('example', locale)}: \`${command.example}\``;
}

/** An argument's page, as Markdown. */
export function describeArgument(spec: ArgumentSpec, locale: Locale): string {
  const lines = [`**-${spec.name}**`, spec.doc[locale]];
  if (spec.values !== undefined) lines.push(`${word('values', locale)}: ${spec.values.join(', ')}`);
  if (spec.standard !== undefined) lines.push(`${word('standard', locale)}: ${spec.standard}`);
  if (spec.since !== undefined) lines.push(`${word('since', locale)}: ${spec.since}`);
  return lines.join('\n\n');
}

function describeSymbol(index: ProjectIndex, place: ScriptPlace, locale: Locale): Hover | null {
  const found = symbolAt(index, place);
  if (found === null) return null;
  const { symbol, range } = found;
  const lines = [`**${symbol.name}**`];
  if (symbol.kind === 'label' || symbol.kind === 'variable') {
    const [definition] = definitionsOf(index, symbol);
    if (definition !== undefined) lines.push(`${word('defined', locale)}: ${definition.path}:${definition.line}`);
  }
  lines.push(`${word('uses', locale)}: ${referencesOf(index, symbol).length}`);
  return {
    start: range.column - 1,
    end: range.endColumn - 1,
    text: lines.join('\n\n'),
    ...(symbol.kind === 'asset' && index.files.has(symbol.name) && { assetPath: symbol.name }),
  };
}

/** The arguments a command takes, and which one the cursor is in. */
export interface Signature {
  label: string;
  documentation: string;
  arguments: readonly { label: string; documentation: string }[];
  /** Index into `arguments`; -1 while the content is being written. */
  active: number;
}

/** Help while a statement is written; null where there is no command. */
export function signatureAt(index: ProjectIndex, place: ScriptPlace, locale: Locale): Signature | null {
  const text = index.scene(place.path)?.records[place.line - 1]?.text;
  if (text === undefined || text.length > 20_000) return null;
  const statement = new Statement(text, place.line - 1, 0);
  const { command } = statement;
  const column = place.column - 1;
  if (command === null || statement.colon < 0 || column <= statement.colon || column > statement.end) return null;
  const specs = [...command.arguments.values()].filter((spec) => spec.isInert !== true);
  const within = statement.arguments.find(
    (argument: Argument) => column >= argument.nameStart && column <= Math.max(argument.nameEnd, argument.valueEnd),
  );
  return {
    label: command.example,
    documentation: command.doc[locale],
    arguments: specs.map((spec) => ({ label: `-${spec.name}`, documentation: spec.doc[locale] })),
    active: within === undefined ? -1 : specs.findIndex((spec) => spec.name === within.name),
  };
}
