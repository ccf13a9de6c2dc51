import { redactText } from '../../../core/capability/audit/redact.ts';

const MAX_MESSAGE_LENGTH = 300;
const MAX_FRAMES = 8;
const MAX_CAUSES = 3;

/** Messages of these come from the language itself; a word in single quotes in them is the name of a property. */
const LANGUAGE_ERRORS = new Set(['TypeError', 'ReferenceError', 'RangeError']);

/**
 * Formats an error for the log: its name, code, message and stack, without what may be text of a game, a key or a place on
 * this computer. A syntax error quotes what it could not read, so its message is left out.
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

/** Takes out of a sentence what may be text of a game, a key or a place on this computer. `name` is the error's. */
export function toLogMessage(message: string, name = ''): string {
  const quotes = LANGUAGE_ERRORS.has(name) ? /"[^"]*"|`[^`]*`|“[^”]*”/g : /"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g;
  const bare = message
    .slice(0, MAX_MESSAGE_LENGTH * 4)
    .replace(quotes, '"…"')
    // Node and URLs name files both ways; a drive letter starts one on Windows.
    .replace(/\b[\w+.-]+:\/\/[^\s)]+/g, '<address>')
    .replace(/(?<![\w<])(?:[A-Za-z]:)?[\\/][^\s:,;()]*/g, '<path>')
    .replace(/[^\p{ASCII}…]+/gu, '…')
    .replace(/\s+/g, ' ');
  return redactText(bare).slice(0, MAX_MESSAGE_LENGTH);
}

/** The stack's frames with the files' bare names: a frame is code of ours, its folder is the user's. */
function toFrames(stack: string): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) =>
      line.replace(/(?<=[\s(])(?:[\w+.-]+:\/\/|[A-Za-z]:[\\/]|[\\/])[^()]*[\\/]/g, '').replace(/[^\p{ASCII}]+/gu, '…'),
    );
}
