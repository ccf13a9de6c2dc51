import { type EngineTraits, MAX_TRAITS } from './engine.ts';

/** Characters searched on each side; the command table of every published engine is far shorter. */
const TABLE_WINDOW = 40_000;
/** Commands that every command table contains. */
const REQUIRED_COMMANDS = ['changeBg', 'changeFigure'];
const MIN_COMMANDS = 10;

/** True for the names of a table of commands, false for any other list that was found. */
export function isCommandTable(names: readonly string[]): boolean {
  return names.length >= MIN_COMMANDS && REQUIRED_COMMANDS.every((name) => names.includes(name));
}

/** Facts read from a built engine; each is null or empty when not found. */
export interface EngineBundle extends EngineTraits {
  version: string | null;
}

/**
 * Reads version, commands, argument names and effects from a built engine's JavaScript. The text is untrusted data of a
 * game: it is searched, never executed, and every pattern is bounded so that time is linear in its length. Supports the
 * builds of the published engines 4.0 to 4.6.
 */
export function readEngineBundle(text: string): EngineBundle {
  return {
    version: findVersion(text),
    commands: findCommands(text),
    arguments: findArguments(text),
    effects: findEffects(text),
  };
}

function findVersion(text: string): string | null {
  // Up to 4.5.12 the greeting contains the version itself; later ones refer to a constant.
  const written = /WebGAL v?(\d{1,3}\.\d{1,3}\.\d{1,3})(?!\d)/.exec(text)?.[1];
  if (written !== undefined) return written;
  const key = '={version:';
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    const constant = /(?:^|[^\w$])([\w$]{1,8})="(\d{1,3}\.\d{1,3}\.\d{1,3})(?:-\d{1,3})?",[\w$]{1,8}$/.exec(
      text.slice(Math.max(0, at - 60), at),
    );
    if (constant !== null && text.startsWith(constant[1] ?? '', at + key.length)) return constant[2] ?? null;
  }
  return null;
}

/**
 * Matches `f(sentence,"name")` and `argument.key==="name"`. Searches backwards from rare substrings, which is ten times
 * as fast.
 */
function findArguments(text: string): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(/"\)/g)) {
    const open = text.lastIndexOf('"', match.index - 1);
    if (match.index - open > 32 || text[open - 1] !== ',') continue;
    const name = text.slice(open + 1, match.index);
    if (!/^[A-Za-z_]\w*$/.test(name) || !/\([\w$]{1,8}$/.test(text.slice(Math.max(0, open - 10), open - 1))) continue;
    if (found.size < MAX_TRAITS.arguments) found.add(name);
  }
  for (const name of collect(text, [/\.key==="([A-Za-z_]\w{0,30})"/g], MAX_TRAITS.arguments)) found.add(name);
  return [...found].slice(0, MAX_TRAITS.arguments);
}

function findCommands(text: string): string[] {
  for (const find of [findInScriptList, findInCases, findInTable]) {
    const found = find(text);
    if (isCommandTable(found)) return found;
  }
  return [];
}

/** Since 4.2: `{scriptString:"changeBg",scriptType:…}`. */
function findInScriptList(text: string): string[] {
  return collect(text, [/\{scriptString:"(\w{1,40})",scriptType:/g], MAX_TRAITS.commands);
}

/** Before 4.2: `case"changeBg":return T.changeBg`. */
function findInCases(text: string): string[] {
  const first = /case"changeBg":return ([\w$]{1,8})\.changeBg\b/.exec(text);
  if (first === null) return [];
  const pattern = new RegExp(`case"(\\w{1,40})":return ${escapeDollar(first[1])}\\.\\w{1,40}`, 'g');
  return collect(around(text, first.index), [pattern], MAX_TRAITS.commands);
}

/** Since 4.5: `changeBg:f(T.changeBg,…)`. */
function findInTable(text: string): string[] {
  const first = /[{,]changeBg:([\w$]{1,8})\(([\w$]{1,8})\.changeBg,/.exec(text);
  if (first === null) return [];
  const pattern = new RegExp(
    `[{,]"?(\\w{1,40})"?:${escapeDollar(first[1])}\\(${escapeDollar(first[2])}\\.\\w{1,40},`,
    'g',
  );
  return collect(around(text, first.index), [pattern], MAX_TRAITS.commands);
}

/** Effects are registered one by one: `f("rain",{fg:…`. */
function findEffects(text: string): string[] {
  for (const known of ['rain', 'snow', 'cherryBlossoms']) {
    const at = text.indexOf(`("${known}",{`);
    const register = at < 0 ? undefined : /[\w$]{1,8}$/.exec(text.slice(Math.max(0, at - 8), at))?.[0];
    if (register === undefined) continue;
    return collect(
      around(text, at),
      [new RegExp(`${escapeDollar(register)}\\("(\\w{1,40})",\\{`, 'g')],
      MAX_TRAITS.effects,
    );
  }
  return [];
}

/** Collects the first group of each match, every name once. */
export function collect(text: string, patterns: readonly RegExp[], most: number): string[] {
  const found = new Set<string>();
  for (const pattern of patterns) {
    for (const [, name] of text.matchAll(pattern)) {
      if (name !== undefined) found.add(name);
      if (found.size >= most) return [...found];
    }
  }
  return [...found];
}

const around = (text: string, at: number) => text.slice(Math.max(0, at - TABLE_WINDOW), at + TABLE_WINDOW);
const escapeDollar = (name: string | undefined) => (name ?? '').replaceAll('$', '\\$');
