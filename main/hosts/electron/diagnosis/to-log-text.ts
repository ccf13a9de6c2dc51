import { redactText } from '../../../core/capability/audit/redact.ts';

const MAX_MESSAGE_LENGTH = 300;
const MAX_FRAMES = 8;
const MAX_CAUSES = 3;

/** Errors of the JavaScript engine; a word in single quotes in their messages is a property name. */
const LANGUAGE_ERRORS = new Set(['TypeError', 'ReferenceError', 'RangeError']);

/**
 * Formats an error for the log: name, code, message and stack, without anything that may be text of a game, a key or a path of
 * this computer. Omits the message of a syntax error, because it quotes its input.
 */
export function toLogText(error: unknown): string {
  const lines: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && current !== undefined && current !== null; depth += 1) {
    lines.push((depth === 0 ? '' : 'caused by ') + describe(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return lines.join('\n');
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return toLogMessage(String(error));
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  const labels = [code, reason].filter((label) => typeof label === 'string').map((label) => ` ${toLogMessage(label)}`);
  const message = error instanceof SyntaxError ? '' : `: ${toLogMessage(error.message, error.name)}`;
  return [`${error.name}${labels.join('')}${message}`, ...toFrames(error.stack ?? '')].join('\n');
}

/** Removes from a message what may be text of a game, a key or a path of this computer. `name` is the error's name. */
export function toLogMessage(message: string, name = ''): string {
  const quotes = LANGUAGE_ERRORS.has(name) ? /"[^"]*"|`[^`]*`|“[^”]*”/g : /"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g;
  const bare = message
    .slice(0, MAX_MESSAGE_LENGTH * 4)
    .replace(quotes, '"…"')
    // Files appear as paths and as URLs; a drive letter starts a path on Windows.
    .replace(/\b[\w+.-]+:\/\/[^\s)]+/g, '<address>')
    .replace(/(?<![\w<])(?:[A-Za-z]:)?[\\/][^\s:,;()]*/g, '<path>')
    .replace(/[^\p{ASCII}…]+/gu, '…')
    .replace(/\s+/g, ' ');
  return redactText(bare).slice(0, MAX_MESSAGE_LENGTH);
}

/** Returns the stack frames with base names only, because folders are private to the user. */
function toFrames(stack: string): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) =>
      line.replace(/(?<=[\s(])(?:[\w+.-]+:\/\/|[A-Za-z]:[\\/]|[\\/])[^()]*[\\/]/g, '').replace(/[^\p{ASCII}]+/gu, '…'),
    );
}
