import { MAX_TRAITS } from './engine.ts';
import { collect, type EngineBundle, isCommandTable } from './read-engine-bundle.ts';

/** Fewer mean that the source reads arguments in another way than the engine's, so that the list would be wrong. */
const MIN_ARGUMENTS = 20;

/** Since 4.5: `changeBg: ScriptConfig(commandType.changeBg, changeBg)`; a line of a comment is none. */
const IN_TABLE = /^[ \t]*['"]?(\w{1,40})['"]?:[ \t]*ScriptConfig\(/gm;
/** Since 4.2: `{ scriptString: 'changeBg', scriptType: … }`. */
const IN_LIST = /\bscriptString:[ \t]*['"](\w{1,40})['"]/g;
/** Before 4.2: `case 'changeBg':` and, on its own line or the next, `return commandType.changeBg`. */
const IN_CASES = /\bcase[ \t]+['"](\w{1,40})['"]:\s{0,40}return[ \t]+commandType\./g;

const ARGUMENTS = [
  /ArgByKey\(\s{0,40}[\w.]{1,40},\s{0,40}['"]([A-Za-z_]\w{0,39})['"]/g,
  /\.key[ \t]{0,4}===?[ \t]{0,4}['"]([A-Za-z_]\w{0,39})['"]/g,
];
/** In a file that tells arguments apart by their key, each case may name one. */
const TELLS_KEYS_APART = /\bswitch[ \t]{0,4}\([\w.]{1,40}\.key\)/;
const CASES = /\bcase[ \t]{1,4}['"]([A-Za-z_]\w{0,39})['"]:/g;
const EFFECTS = /\bregisterPerform\(\s{0,40}['"](\w{1,40})['"]/g;

/**
 * Reads version, commands, argument names and effects from an engine's source, for games that lie beside it, as in forks of
 * the engine's repository. `manifest`: the text of its package.json; `files`: its TypeScript. The texts are untrusted data: they are
 * searched, never executed, in time linear in their length. Null when they are not an engine's.
 */
export function readEngineSource({
  manifest,
  files,
}: {
  manifest: string;
  files: readonly string[];
}): EngineBundle | null {
  const commands = findCommands(files);
  if (commands.length === 0) return null;
  const names = new Set(files.flatMap(findArguments));
  const effects = new Set(files.flatMap((text) => collect(text, [EFFECTS], MAX_TRAITS.effects)));
  return {
    version: findVersion(manifest),
    commands,
    arguments: names.size < MIN_ARGUMENTS ? [] : [...names].slice(0, MAX_TRAITS.arguments),
    effects: [...effects].slice(0, MAX_TRAITS.effects),
  };
}

function findCommands(files: readonly string[]): string[] {
  for (const pattern of [IN_TABLE, IN_LIST, IN_CASES]) {
    for (const text of files) {
      const found = collect(text, [pattern], MAX_TRAITS.commands);
      if (isCommandTable(found)) return found;
    }
  }
  return [];
}

function findArguments(text: string): string[] {
  const patterns = TELLS_KEYS_APART.test(text) ? [...ARGUMENTS, CASES] : ARGUMENTS;
  return collect(text, patterns, MAX_TRAITS.arguments);
}

/** The version of the package; the engine greets with it. */
function findVersion(manifest: string): string | null {
  return /"version"[ \t]{0,4}:[ \t]{0,4}"(\d{1,3}\.\d{1,3}\.\d{1,3})(?!\d)/.exec(manifest)?.[1] ?? null;
}
