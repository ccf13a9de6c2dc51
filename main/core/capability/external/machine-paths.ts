/** A character of a name that may end a path: quotation marks, brackets and separators of lists end it. */
const NAME = /[^\s"'<>|*?`,;)\]}]/u.source;
/** A folder's name in a path with backslashes; it may have spaces, because the next backslash ends it. */
const FOLDER = /[^\s\\/:"'<>|*?`,;]+(?: [^\s\\/:"'<>|*?`,;]+){0,5}\\+/u.source;

const FILE = String.raw`file:\/\/(?:localhost)?\/*`;
/** Drives and shares; `\\` where a text is quoted in JSON. */
const WINDOWS = String.raw`(?:[A-Za-z]:\\+|\\\\[\w.\-]+\\+)(?:${FOLDER})*${NAME}*|[A-Za-z]:\/${NAME}*`;
/** First folders that are hardly ever anything else, so that a letter without spaces around it, as in Chinese, may come before. */
const CERTAIN = String.raw`\/(?:home|(?:[a-z]\/)?Users|root|mnt|Volumes|var|tmp|opt|etc)\/${NAME}+`;
/** First folders that are names of ordinary folders too: what comes before must not look like the beginning of a relative path. */
const COMMON = String.raw`\/(?:data|srv|usr|work|workspaces?|run|media|private|nix|snap|sdcard|cygdrive|Applications|Library)\/${NAME}+`;

/** An address up to what could begin another thing: its path is not one of this computer. */
const ADDRESS =
  /\b(?:https?|wss?|ftp):\/\/(?:\[[\da-fA-F:.]+\])?[^\s"'`<>|()[\]{},;:=?#]*(?::\d+[^\s"'`<>|()[\]{},;:=?#]*)?/u.source;

const PATHS = new RegExp(
  [
    `(?<address>${ADDRESS})`,
    String.raw`(?<![\w/\\.\u2026~])(?:(?:${FILE})?(?:${WINDOWS}|${CERTAIN})|file:\/\/\/?${NAME}*)`,
    String.raw`(?<![\p{L}\p{N}_/\\.\u2026~}@*])${COMMON}`,
  ].join('|'),
  'gu',
);

/** True if a text holds an absolute path of a machine. */
export function hasMachinePath(text: string): boolean {
  return shortenMachinePaths(text) !== text;
}

/**
 * Returns the text with only the last name of each absolute path: the folders before it name the user and other games, and neither the
 * model nor the log has a use for them. A name with spaces is cut at the first one, unless a backslash shows where it ends.
 */
export function shortenMachinePaths(text: string): string {
  return text.replace(PATHS, (path, address: string | undefined) => {
    if (address !== undefined) return path;
    const names = path.split(/[\\/]+/).filter(Boolean);
    const last = names.at(-1);
    // The root of a drive alone, or a bare scheme, has no name.
    return last === undefined || /^(?:file:|[A-Za-z]:)$/.test(last) ? '…' : `…/${last}`;
  });
}
