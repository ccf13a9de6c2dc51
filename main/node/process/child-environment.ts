import { existsSync } from 'node:fs';
import path from 'node:path';

/** The variables that a child process receives: program paths, the user, the locale and the folders. */
const ALLOWED_VARIABLES = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  // Windows starts no process without these.
  'SystemRoot',
  'windir',
  'SystemDrive',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'USERNAME',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramData',
  'ProgramFiles',
];

/** Paths of developer tools that are missing from the `PATH` of an app started from the desktop on a Mac. */
const MAC_PATHS = ['/opt/homebrew/bin', '/usr/local/bin'];

/**
 * Returns the environment of a child process: an allowlist, because keys and tokens can have any name. `first` is put
 * before the path.
 */
export function toChildEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  first: readonly string[] = [],
): Record<string, string> {
  const isWindows = process.platform === 'win32';
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    const wanted = ALLOWED_VARIABLES.find((known) =>
      isWindows ? known.toLowerCase() === name.toLowerCase() : known === name,
    );
    if (wanted !== undefined && value !== undefined) child[wanted] = value;
  }
  const more = process.platform === 'darwin' ? MAC_PATHS.filter((place) => existsSync(place)) : [];
  child.PATH = [...first, ...(child.PATH ?? '').split(path.delimiter), ...more].filter(Boolean).join(path.delimiter);
  return child;
}
