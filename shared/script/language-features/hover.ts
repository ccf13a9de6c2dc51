import { commandTexts } from '../../i18n/commands.ts';
import type { Locale } from '../../model/local-text.ts';
import { storyOrder } from '../flow/story-order.ts';
import { type ProjectIndex, SCENE_FOLDER } from '../project-index/project-facts.ts';
import {
  definitionsOf,
  referencesOf,
  type ScriptPlace,
  type ScriptSymbol,
  symbolAt,
} from '../project-index/symbols.ts';
import { type ArgumentSpec, type Command, SAY } from '../syntax/commands.ts';
import { Statement } from '../syntax/scan.ts';
import type { Argument } from '../syntax/scan-arguments.ts';

/** Hover content. Columns are 0-based; `text` is Markdown. */
export interface Hover {
  start: number;
  end: number;
  text: string;
  /** Project path of an image, sound or video to show with it. */
  assetPath?: string;
}

export function hoverAt(index: ProjectIndex, place: ScriptPlace, locale: Locale): Hover | null {
  const scene = index.scene(place.path);
  const at = scene?.toStatementPlace(place.line - 1, place.column - 1);
  const text = at && scene?.records[at.line]?.text;
  if (at === undefined || text === undefined || text.length > 20_000) return null;
  const { column } = at;
  // A statement can span several lines: columns of the folded statement differ from those of the line.
  const shift = column - (place.column - 1);
  const statement = new Statement(text, at.line, 0);
  const { command, colon, end } = statement;
  if (command === null || column >= end) return null;
  if (command !== SAY && column <= (colon < 0 ? end : colon)) {
    return { start: 0, end: colon < 0 ? end : colon, text: describeCommand(command, locale) };
  }
  for (const argument of statement.arguments) {
    if (column < argument.nameStart || column > argument.nameEnd || argument.isVoice) continue;
    const spec = command.arguments.get(argument.name);
    if (spec !== undefined)
      return { start: argument.nameStart - shift, end: argument.nameEnd - shift, text: describeArgument(spec, locale) };
  }
  return describeSymbol(index, place, locale);
}

function describeCommand(command: Command, locale: Locale): string {
  const translate = commandTexts.createTranslator(locale);
  const example = translate('hover.example', { value: command.example });
  return `**${command.name}**\n\n${translate(command.doc)}\n\n${example}`;
}

function describeArgument(spec: ArgumentSpec, locale: Locale): string {
  const translate = commandTexts.createTranslator(locale);
  const lines = [`**-${spec.name}**`, translate(spec.doc)];
  if (spec.values !== undefined) lines.push(translate('hover.values', { value: spec.values.join(', ') }));
  if (spec.standard !== undefined) lines.push(translate('hover.standard', { value: spec.standard }));
  if (spec.since !== undefined) lines.push(translate('hover.since', { value: spec.since }));
  return lines.join('\n\n');
}

function describeSymbol(index: ProjectIndex, place: ScriptPlace, locale: Locale): Hover | null {
  const found = symbolAt(index, place);
  if (found === null) return null;
  const { symbol, range } = found;
  const isFile = symbol.kind === 'asset' || symbol.kind === 'scene';
  const isThere = !isFile || index.files.has(symbol.name);
  const name = isFile ? symbol.name.replace(/^game\/(?:scene\/)?/, '') : symbol.name;
  const lines = [
    `${commandTexts.translate(locale, `kinds.${symbol.kind}`)} **${toPlainMarkdown(name)}**`,
    isThere
      ? describeUse(index, { symbol, path: place.path }, locale)
      : commandTexts.translate(locale, 'hover.missing'),
  ];
  return {
    start: range.column - 1,
    end: range.endColumn - 1,
    text: lines.join('\n\n'),
    ...(symbol.kind === 'asset' && isThere && { assetPath: symbol.name }),
  };
}

/** Where the symbol is defined, how often it is used, and in how many scenes. */
function describeUse(
  index: ProjectIndex,
  { symbol, path }: { symbol: ScriptSymbol; path: string },
  locale: Locale,
): string {
  const places = referencesOf(index, symbol);
  const scenes = new Set(places.map((use) => use.path)).size;
  const count = places.length;
  const translate = commandTexts.createTranslator(locale);
  const used = translate(scenes > 1 ? 'hover.usedInScenes' : 'hover.used', { count, scenes });
  if (symbol.kind !== 'label' && symbol.kind !== 'variable') return used;
  const definitions = definitionsOf(index, symbol);
  const order = definitions.length > 1 ? storyOrder(index) : [];
  const early = order.find((scene) => definitions.some((found) => found.path === scene));
  const definition = definitions.find((found) => found.path === early) ?? definitions[0];
  if (definition === undefined) return used;
  const file = toPlainMarkdown(definition.path.replace(SCENE_FOLDER, ''));
  const isHere = definition.path === path;
  const place = translate(isHere ? `hover.${symbol.kind}Here` : `hover.${symbol.kind}`, {
    line: definition.line,
    file,
  });
  return translate('hover.defined', { place, used });
}

function toPlainMarkdown(name: string): string {
  return name.replace(/[\\`*_{}[\]()#+\-!|<>~&]/g, '\\$&');
}

export interface Signature {
  /** The command's name; empty for dialogue. */
  command: string;
  label: string;
  documentation: string;
  arguments: readonly { label: string; documentation: string }[];
  /** Index into `arguments`; -1 while the cursor is in the content. */
  active: number;
}

/** Signature help at a position; null outside a command's content and arguments. */
export function signatureAt(index: ProjectIndex, place: ScriptPlace, locale: Locale): Signature | null {
  const text = index.scene(place.path)?.records[place.line - 1]?.text;
  if (text === undefined || text.length > 20_000) return null;
  const statement = new Statement(text, place.line - 1, 0);
  const { command } = statement;
  const column = place.column - 1;
  if (command === null || statement.colon < 0 || column <= statement.colon || column > statement.end) return null;
  const specs = [...command.arguments.values()].filter((spec) => spec.isInert !== true);
  const translate = commandTexts.createTranslator(locale);
  const within = statement.arguments.find(
    (argument: Argument) => column >= argument.nameStart && column <= Math.max(argument.nameEnd, argument.valueEnd),
  );
  return {
    command: command === SAY ? '' : command.name,
    label: command.example,
    documentation: translate(command.doc),
    arguments: specs.map((spec) => ({ label: `-${spec.name}`, documentation: translate(spec.doc) })),
    active: within === undefined ? -1 : specs.findIndex((spec) => spec.name === within.name),
  };
}
