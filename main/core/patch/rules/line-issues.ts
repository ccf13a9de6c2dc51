import { toFilePath } from '../../../../shared/script/project-index/file-names.ts';
import type { ProjectIndex } from '../../../../shared/script/project-index/project-facts.ts';
import type { LineRecord } from '../../../../shared/script/syntax/analyze-line.ts';
import { type Command, SAY } from '../../../../shared/script/syntax/commands.ts';
import { Statement } from '../../../../shared/script/syntax/scan.ts';
import { toIssue } from '../to-issue.ts';

/** What one line of a text must not bring in without the user's word, and what the user should look at. */
export interface LineIssues {
  errors: string[];
  warnings: string[];
  /** Names in braces that no variable of the game has. */
  placeholders: string[];
}

/** Commands that act outside of the story. */
const CLOSED_COMMANDS: ReadonlySet<string> = new Set(['callSteam']);
/** Findings that mean: the engine of this game has no such command. */
const UNKNOWN_COMMAND: ReadonlySet<string> = new Set(['unknown-command', 'command-version', 'command-case']);
/** Contents that the player reads: an address in them is only text. */
const SPOKEN: ReadonlySet<Command['content']['kind']> = new Set(['text', 'rows']);
/** Contents written as JSON, whose braces are no names. */
const JSON_CONTENT: ReadonlySet<Command['content']['kind']> = new Set(['transform', 'frames']);

/**
 * An address: a scheme of the net, which browsers complete whatever follows its colon, or two slashes before a name. Another scheme needs
 * no part of its own, because its colon stands before the slashes.
 */
const REMOTE = /(?:https?|wss?|ftp)\s*:|(?:^|[^\w/])[\\/]{2}[^\s\\/]/i;
/** Two slashes in the name of a file, or between them what a browser leaves out. */
const DOUBLE_SLASH = /(?:^|[^\w/])[\\/]\s*[\\/]/;
/** What loads a file in a style, also written with escapes. */
const STYLE_LOADS = /url\s*\(|image-set|@import|src\s*\(|\\[0-9a-f]/i;
const ACTIVE = /(?:javascript|vbscript|data|blob|file)\s*:|<\s*(?:script|iframe|object|embed)\b/i;
const BRACES = /(?<!\\)[{｛]([^{}｛｝]*)[}｝]/g;
const BRACE = /(?<!\\)[{}｛｝]/;
/** State of the engine that a text may show. */
const ENGINE_STATE = /^\$(?:stage|userData)\b/;
/** Characters of a name that a report quotes. */
const MAX_NAME = 40;
/** Characters that no text of a story needs and that hide what a line says: controls, direction marks, and what has no width. */
export const HIDDEN =
  /[\p{Bidi_Control}\p{Zl}\p{Zp}\u{ad}\u{200b}\u{2060}-\u{2064}\u{e0000}-\u{e007f}]|(?!\t|\r|\n)\p{Cc}/u;
const MAX_FOUND = 3;

/** Checks a line of a scene as the index has it. */
export function checkSceneLine(record: LineRecord, index: ProjectIndex): LineIssues {
  const found: LineIssues = { errors: [], warnings: [], placeholders: [] };
  const { text } = record;
  if (HIDDEN.test(text)) found.warnings.push(toIssue('character', toCodePoint(text)));
  const statement = new Statement(text, 0, 0);
  const { command } = statement;
  if (command === null) return found;
  checkCommand(record, statement, index, found);
  const args = text.slice(statement.argsStart, statement.end);
  const content = statement.colon < 0 ? '' : statement.content;
  const named = SPOKEN.has(command.content.kind) ? args : `${content} ${args}`;
  if (isRemote(named) || DOUBLE_SLASH.test(named) || stylesLoad(text)) found.errors.push(toIssue('url', text));
  if (ACTIVE.test(named) || /<\s*(?:script|iframe)\b/i.test(text)) found.errors.push(toIssue('script', text));
  checkFolders(record, statement, found);
  const isJson = JSON_CONTENT.has(command.content.kind);
  found.placeholders.push(...findPlaceholders(isJson ? '' : text.slice(0, statement.argsStart), index));
  for (const { value } of statement.arguments) {
    if (typeof value === 'string' && !/^\s*[{[]\s*["[{]/.test(value)) {
      found.placeholders.push(...findPlaceholders(value, index));
    }
  }
  return found;
}

/** Browsers leave out tabs and other control characters of an address. */
const isRemote = (text: string): boolean => REMOTE.test(text) || REMOTE.test(text.replace(/\p{Cc}/gu, ''));

/** True if the style of a marked part of a text loads something: `[text](style=…)`. */
function stylesLoad(text: string): boolean {
  const at = text.indexOf('](');
  if (at < 0) return false;
  const styles = text.slice(at);
  return isRemote(styles) || STYLE_LOADS.test(styles);
}

function checkCommand(record: LineRecord, { command }: Statement, index: ProjectIndex, found: LineIssues): void {
  if (command === null) return;
  const { engine } = index;
  const isMissing = command !== SAY && engine.commands !== null && !engine.commands.has(command.name);
  if (CLOSED_COMMANDS.has(command.name) || isMissing) found.errors.push(toIssue('command', command.name));
  for (const { code } of record.findings ?? []) {
    if (UNKNOWN_COMMAND.has(code)) found.errors.push(toIssue('command', record.text));
  }
  const own = record.references?.find(({ role }) => role === 'engine-command');
  if (own) found.warnings.push(toIssue('engineCommand', own.name));
}

/** A file name that leads out of the folder of its kind. */
function checkFolders(record: LineRecord, statement: Statement, found: LineIssues): void {
  const { text, command, colon } = statement;
  const content = command?.content;
  const isNamed = colon >= 0 && (content?.kind === 'asset' || content?.kind === 'scene');
  const leaves =
    (isNamed && isOutside(content.folder, statement.content)) ||
    record.references?.some(({ role, name, folder }) => isOutside(role === 'scene' ? role : (folder ?? null), name)) ||
    /(?:^|[=\\/\s])\.\.[\\/]/.test(toDecoded(text.slice(statement.argsStart, statement.end)));
  if (leaves) found.errors.push(toIssue('folder', text));
}

function isOutside(folder: string | null, name: string): boolean {
  if (folder === null || name === '') return false;
  const decoded = toDecoded(name);
  return !toFilePath(folder, decoded).startsWith(`game/${folder}/`) || /^[a-z]:/i.test(decoded);
}

/** Undoes the escapes with which an address hides dots and slashes. */
function toDecoded(name: string): string {
  return name.replace(/%25/g, '%').replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '\\');
}

/** Returns what stands in braces and is no variable of the game; also a brace without its other half, and braces in braces. */
export function findPlaceholders(text: string, index: ProjectIndex): string[] {
  if (!BRACE.test(text)) return [];
  const names: string[] = [];
  const rest = text.replace(BRACES, (_, inside: string) => {
    const name = inside.trim();
    const own = name.split(/[.[]/)[0] ?? '';
    if (!index.hasVariable(own.trim()) && !ENGINE_STATE.test(name)) names.push(name === '' ? '{}' : name);
    return ' ';
  });
  const left = rest.search(BRACE);
  if (left >= 0 && names.length === 0) names.push(rest.slice(left).trim());
  return names.slice(0, MAX_FOUND).map((name) => name.slice(0, MAX_NAME));
}

/** Names the first of some characters in a text, by default hidden ones, by its code point. */
export function toCodePoint(text: string, characters: RegExp = HIDDEN): string {
  const code = characters.exec(text)?.[0].codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Checks a line of another text of the game. */
export function checkPlainLine(text: string): LineIssues {
  const found: LineIssues = { errors: [], warnings: [], placeholders: [] };
  if (isRemote(text)) found.errors.push(toIssue('url', text));
  if (ACTIVE.test(text)) found.errors.push(toIssue('script', text));
  if (HIDDEN.test(text)) found.errors.push(toIssue('character', toCodePoint(text)));
  return found;
}
