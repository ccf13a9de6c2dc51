import { editDistance, tolerance } from '../../project-index/near-names.ts';
import { EFFECTS, FILE_ENDINGS } from '../../syntax/command-values.ts';
import { FOREIGN_COMMANDS, findCommand, listCommands } from '../../syntax/commands.ts';

export const BY_LOWER_CASE = new Map(listCommands().map((command) => [command.name.toLowerCase(), command.name]));
const CAMEL_COMMANDS = listCommands()
  .map(({ name }) => ({ name, lower: name.toLowerCase() }))
  .filter(({ name, lower }) => name !== lower);
const FOREIGN_BY_LOWER_CASE = new Map([...FOREIGN_COMMANDS].map(([name, command]) => [name.toLowerCase(), command]));
export const CAMEL = /^[a-z]{2,}[A-Z][A-Za-z]*$/;
export const FILE = new RegExp(
  `^[^\\s,，。！？]+\\.(?:${[...new Set(Object.values(FILE_ENDINGS).flat())].join('|')})$`,
  'i',
);
export const SOUND = new RegExp(`\\.(?:${FILE_ENDINGS.sound.join('|')})$`, 'i');

/** The command whose name has a superfluous trailing s. */
export const pluralOf = (lower: string) => (lower.endsWith('s') ? BY_LOWER_CASE.get(lower.slice(0, -1)) : undefined);

/** The intended command; null: something for which there is no command; undefined: it may be a name. */
export function suggestCommand(word: string, content: string): string | null | undefined {
  const isCamel = CAMEL.test(word);
  const foreign =
    FOREIGN_COMMANDS.get(word) ?? (/^[a-z]/.test(word) ? FOREIGN_BY_LOWER_CASE.get(word.toLowerCase()) : undefined);
  if (foreign !== undefined && (isCamel || fits(foreign, content))) return foreign;
  const { camel, near } = commandsNear(word);
  if (camel !== undefined) return camel;
  const plural = pluralOf(word.toLowerCase());
  if (plural !== undefined && fits(plural, content)) return plural;
  // Short common words are often names: they count only if the content fits the command.
  if (word.length < 3 || !/^[a-z]/.test(word)) return undefined;
  return near.find((name) => fits(name, content));
}

/** Commands with lower-case names. */
const PLAIN_COMMANDS = listCommands()
  .map(({ name }) => name)
  .filter((name) => name !== 'say' && !/[A-Z]/.test(name));
/** Size of the cache: scripts repeat the same unknown words, mostly speakers' names. */
const MAX_CACHED_WORDS = 1000;
const NEAR = new Map<string, { camel: string | undefined; near: readonly string[] }>();

/** The commands that a word may be a misspelling of. */
export function commandsNear(word: string): { camel: string | undefined; near: readonly string[] } {
  const known = NEAR.get(word);
  if (known !== undefined) return known;
  if (NEAR.size >= MAX_CACHED_WORDS) NEAR.clear();
  const near = PLAIN_COMMANDS.filter((name) => editDistance(word, name, 1) <= 1);
  const found = { camel: findNearCommand(word), near };
  NEAR.set(word, found);
  return found;
}

function fits(command: string | null, content: string): boolean {
  if (command === 'end') return content === '';
  const kind = command === null ? undefined : findCommand(command)?.content.kind;
  switch (kind) {
    case undefined:
      return SOUND.test(content);
    case 'asset':
      return FILE.test(content) || content === 'none';
    case 'scene':
      return FILE.test(content);
    case 'milliseconds':
      return /^\d+$/.test(content);
    case 'label':
    case 'jump':
      return /^[A-Za-z_]\w*$/.test(content) || /[<>=]=/.test(content);
    case 'assignment':
      return /^[^\s=]+=[^=]/.test(content);
    case 'choices':
      return /[^\\]:/.test(content);
    case 'values':
      return (EFFECTS as readonly string[]).includes(content);
    default:
      return false;
  }
}

/** The camel-case command that a word may be a misspelling of. */
function findNearCommand(word: string): string | undefined {
  const limit = tolerance(word.length);
  const lower = word.toLowerCase();
  return CAMEL_COMMANDS.find((command) => editDistance(lower, command.lower, limit) <= limit)?.name;
}
