import type { Locale, LocalText } from '../../model/text.ts';
import { storyOrder } from '../flow/story-order.ts';
import { type ProjectIndex, SCENE_FOLDER } from '../index/project-facts.ts';
import {
  definitionsOf,
  referencesOf,
  type ScriptPlace,
  type ScriptSymbol,
  type SymbolKind,
  symbolAt,
} from '../index/symbols.ts';
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

/** Documentation and facts at a position; null when there are none. */
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

const words = {
  standard: { 'zh-CN': '默认', en: 'If left out' },
  since: { 'zh-CN': '引擎版本', en: 'From engine' },
  values: { 'zh-CN': '可以写', en: 'Allowed' },
  example: { 'zh-CN': '例子', en: 'Example' },
  missing: { 'zh-CN': '游戏里没有这个文件。', en: 'The game has no such file.' },
} satisfies Record<string, LocalText>;
const word = (key: keyof typeof words, locale: Locale) => words[key][locale];

const KIND_NAMES: Record<SymbolKind, LocalText> = {
  label: { 'zh-CN': '标签', en: 'Label' },
  variable: { 'zh-CN': '变量', en: 'Variable' },
  speaker: { 'zh-CN': '角色', en: 'Character' },
  scene: { 'zh-CN': '场景', en: 'Scene' },
  asset: { 'zh-CN': '素材', en: 'Asset' },
  figure: { 'zh-CN': '立绘', en: 'Figure' },
  animation: { 'zh-CN': '动画', en: 'Animation' },
};

/** A command's documentation, as Markdown. */
function describeCommand(command: Command, locale: Locale): string {
  return `**${command.name}**\n\n${command.doc[locale]}\n\n${word('example', locale)}: \`${command.example}\``;
}

/** An argument's documentation, as Markdown. */
function describeArgument(spec: ArgumentSpec, locale: Locale): string {
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
  const isFile = symbol.kind === 'asset' || symbol.kind === 'scene';
  const isThere = !isFile || index.files.has(symbol.name);
  const name = isFile ? symbol.name.replace(/^game\/(?:scene\/)?/, '') : symbol.name;
  const lines = [
    `${KIND_NAMES[symbol.kind][locale]} **${toPlainMarkdown(name)}**`,
    isThere ? describeUse(index, { symbol, path: place.path }, locale) : word('missing', locale),
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
  const used =
    locale === 'zh-CN'
      ? `出现 ${count} 次${scenes > 1 ? `，在 ${scenes} 个场景里` : ''}。`
      : `Named ${count === 1 ? 'once' : `${count} times`}${scenes > 1 ? ` in ${scenes} scenes` : ''}.`;
  if (symbol.kind !== 'label' && symbol.kind !== 'variable') return used;
  const definitions = definitionsOf(index, symbol);
  const order = definitions.length > 1 ? storyOrder(index) : [];
  const early = order.find((scene) => definitions.some((found) => found.path === scene));
  const definition = definitions.find((found) => found.path === early) ?? definitions[0];
  if (definition === undefined) return used;
  const file = toPlainMarkdown(definition.path.replace(SCENE_FOLDER, ''));
  const isHere = definition.path === path;
  const begins = {
    'zh-CN': `${isHere ? '' : `${file} `}第 ${definition.line} 行${symbol.kind === 'label' ? '' : '首次设置'}。`,
    en: `${symbol.kind === 'label' ? 'In' : 'First set in'} line ${definition.line}${isHere ? '' : ` of ${file}`}.`,
  };
  return `${begins[locale]}${locale === 'zh-CN' ? '' : ' '}${used}`;
}

/** Escapes a name for use as text in Markdown. */
function toPlainMarkdown(name: string): string {
  return name.replace(/[\\`*_{}[\]()#+\-!|<>~&]/g, '\\$&');
}

/** The arguments of a command, and the one at the cursor. */
export interface Signature {
  /** The command's name; empty for dialogue. */
  command: string;
  /** An example statement. */
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
  const within = statement.arguments.find(
    (argument: Argument) => column >= argument.nameStart && column <= Math.max(argument.nameEnd, argument.valueEnd),
  );
  return {
    command: command === SAY ? '' : command.name,
    label: command.example,
    documentation: command.doc[locale],
    arguments: specs.map((spec) => ({ label: `-${spec.name}`, documentation: spec.doc[locale] })),
    active: within === undefined ? -1 : specs.findIndex((spec) => spec.name === within.name),
  };
}
