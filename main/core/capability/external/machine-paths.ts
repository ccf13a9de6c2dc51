/** The beginnings of absolute paths, in the ways that systems write them. */
const ROOTS = String.raw`(?:file:\/\/(?:localhost)?\/*)?(?:[A-Za-z]:[\\/]|\\\\[\w.-]+\\|\/(?:home|Users|root|mnt|media|Volumes|private|var|tmp|opt|etc)\/)|file:\/\/\/?`;

const PATH = new RegExp(String.raw`(?<![\w/\\.])(?:${ROOTS})[^\s"'<>|*?\`,;)\]}]*`, 'g');
const ABSOLUTE = new RegExp(String.raw`(?:^|[\s"'(=:])(?:${ROOTS})`);

/** True if a text holds an absolute path of a machine. */
export function hasMachinePath(text: string): boolean {
  return ABSOLUTE.test(text);
}

/**
 * Returns the text with only the last name of each absolute path: the folders before it name the user and other games, and neither the
 * model nor the log has a use for them. A name with spaces is cut at the first one.
 */
export function shortenMachinePaths(text: string): string {
  return text.replace(PATH, (path) => {
    const names = path.split(/[\\/]+/).filter(Boolean);
    const last = names.at(-1);
    // The root of a drive alone, or a bare scheme, has no name.
    return last === undefined || /^(?:file:|[A-Za-z]:)$/.test(last) ? '…' : `…/${last}`;
  });
}
