import { redactText } from '../../../capability/audit/redact.ts';

/** Absolute paths of Windows, macOS and Linux, and `file:` addresses, up to the next space or quotation mark. */
const ABSOLUTE_PATHS = [
  /\bfile:\/\/[^\s"'`<>]*/gi,
  /\\\\[\w.$-]+\\[^\s"'`<>|]+/g,
  /(?<![\w/])[A-Za-z]:[\\/][^\s"'`<>|]+/g,
  /(?<![\w.:/~-])\/(?:home|Users|root|tmp|var|mnt|media|opt|private|Volumes|run|srv|etc|usr)\/[^\s"'`<>]+/g,
];
const PATH = '[…]';

/** Control characters besides tabs and line breaks, which some programs interpret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Removes what must not leave the computer by an exported text: keys, tokens, passwords, absolute paths. */
export function toPublicText(text: string): string {
  let clean = text;
  for (const paths of ABSOLUTE_PATHS) clean = clean.replace(paths, PATH);
  return redactText(clean).replace(CONTROLS, '');
}

const FENCE = /^( {0,3})(`{3,}|~{3,})(.*)$/;

/**
 * Returns Markdown as a block quotation, which nothing in it can leave: an open fence or list ends with the quotation, and outside of
 * fences no HTML is left. Lines stay lines.
 */
export function quoteMarkdown(text: string): string {
  let fence: string | null = null;
  /** An indented fence may be in a list, whose end also ends the fence. */
  let isCertain = true;
  const lines = toPublicText(text)
    .trim()
    .split(/\r\n|\r|\n/)
    .map((line) => {
      const [, indent = '', marks = '', rest = ''] = FENCE.exec(line) ?? [];
      if (fence !== null) {
        if (marks.startsWith(fence) && rest.trim() === '') fence = null;
        return line;
      }
      if (marks !== '' && indent !== '') isCertain = false;
      // A back tick behind back ticks makes them inline code.
      if (isCertain && marks !== '' && !(marks[0] === '`' && rest.includes('`'))) fence = marks;
      return fence === null ? escapeHtml(line) : line;
    });
  return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/** Returns plain text, as a person wrote it, in a fence that is longer than any in it. */
export function fenceText(text: string): string {
  const clean = toPublicText(text)
    .replace(/\r\n|\r/g, '\n')
    .replace(/\s+$/, '');
  const longest = Math.max(2, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${clean}\n${fence}`;
}

/** Returns text of others within one line, where no sign of it is Markdown. */
export function toInline(text: string): string {
  return toPublicText(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|~#]/g, '\\$&');
}

/**
 * Escapes what begins HTML, in inline code too: where that begins and ends depends on other lines, on tables and on links. Not with a
 * backslash, which one before it would undo.
 */
function escapeHtml(line: string): string {
  return line.replace(/<(?=[A-Za-z/!?])/g, '&lt;');
}
