import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where the tools of a game are, who runs them, and in which language and folder: no more is handed on. */
const HANDED_ON = [
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
  // Windows starts nothing without these.
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

/** An app started from the desktop does not have these in its path on a Mac, and programs for developers lie there. */
const MAC_PLACES = ['/opt/homebrew/bin', '/usr/local/bin'];

/**
 * The environment of a child process: an allowlist, for keys and tokens have whatever names they like. `first` is put
 * before the path.
 */
export function toChildEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  first: readonly string[] = [],
): Record<string, string> {
  const isWindows = process.platform === 'win32';
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    const wanted = HANDED_ON.find((known) => (isWindows ? known.toLowerCase() === name.toLowerCase() : known === name));
    if (wanted !== undefined && value !== undefined) child[wanted] = value;
  }
  const more = process.platform === 'darwin' ? MAC_PLACES.filter((place) => existsSync(place)) : [];
  child.PATH = [...first, ...(child.PATH ?? '').split(path.delimiter), ...more].filter(Boolean).join(path.delimiter);
  return child;
}
