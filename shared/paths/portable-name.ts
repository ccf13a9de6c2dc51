/** Names of folders that tools and pages may not use, at any depth. `.webgal_agent` belongs to the app. */
export const FORBIDDEN_DIRS = ['.git', 'node_modules', '.env', '.webgal_agent'] as const;

/** Folders, files and file extensions in which programs store keys and passwords. Refused like the above. */
export const CREDENTIAL_DIRS = [
  ...['.ssh', '.aws', '.azure', '.gcloud', '.gnupg', '.kube', '.docker', '.password-store', '.config'],
] as const;
const CREDENTIAL_FILES: ReadonlySet<string> = new Set([
  ...['.git-credentials', '.netrc', '_netrc', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.pgpass', '.my.cnf'],
  ...['.htpasswd', '.dockercfg', '.envrc', '.vault-token', '.gitconfig'],
]);
const CREDENTIAL_ENDING = /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|gpg)$/;
const PRIVATE_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\.|$)/;

/** Files beginning with a dot that no program executes or takes configuration with commands from. */
const HARMLESS_DOT_FILES: ReadonlySet<string> = new Set(['.gitignore', '.gitkeep', '.keep', '.editorconfig']);

/** Windows treats these as devices whatever follows the first dot, and ignores spaces before it. */
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(\.|$)/i;
const SHORT_ALIAS = /^[^.]{1,8}~\d/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const FORBIDDEN_CHARACTERS = /[\u0000-\u001f\u007f-\u009f<>:"|?*\\\ufffe\uffff]/;
/** Reverses text direction or breaks the line: the name is displayed differently from what it is. */
const MISLEADING = /[\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
/** Fast path: names that no rule below can match, which is nearly all names. */
const PLAIN =
  /^(?!con|prn|aux|nul|com|lpt|clock|node_m|id_|_n)(?!.*\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|gpg)$)[\w\u3040-\u30ff\u4e00-\u9fff-]+(?:\.[\w-]+)*$/i;
const OFF_LIMITS: ReadonlySet<string> = new Set([...FORBIDDEN_DIRS, ...CREDENTIAL_DIRS, ...CREDENTIAL_FILES]);
/** Characters that some file systems ignore when comparing names. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const SEEN = /[^\p{Default_Ignorable_Code_Point}\s]/u;
/** The limit of most file systems for one name. */
const MAX_NAME_BYTES = 255;

/**
 * Why a single name of a path is refused on every system, as a clause that follows “because”; null when it is allowed.
 * The rule is the same on all systems, so that a project made on Linux cannot contain a name with another meaning on
 * Windows. Pure and without imports: the search thread calls it for every file.
 */
export function toNameFault(name: string): string | null {
  if (PLAIN.test(name)) return null;
  return toSpellingFault(name) ?? (isForbiddenName(name) ? `"${name.slice(0, 40)}" is off limits` : null);
}

function toSpellingFault(name: string): string | null {
  if (!name.isWellFormed()) return 'it is not valid text';
  if (FORBIDDEN_CHARACTERS.test(name)) return 'it holds a character that file names cannot have everywhere';
  if (MISLEADING.test(name)) return 'it holds a character that makes a name look like another';
  if (name === '..') return 'it leaves the project';
  if (/[. ]$/.test(name)) return 'a name ends with a dot or a space';
  if (DEVICE_NAME.test(name)) return 'it names a system device';
  if (SHORT_ALIAS.test(name)) return 'it looks like a short alias of another name';
  return null;
}

/**
 * True for a name that is rejected for its spelling alone: the file may exist, on a system that allows such names, and
 * scripts can load it, but no path of the app can name it. Excludes names that are off limits.
 */
export function isUnportable(name: string): boolean {
  if (isPlainlySpelled(name) || PLAIN.test(name) || !name.isWellFormed()) return false;
  return toSpellingFault(name) !== null && !/^\.+$/.test(name) && !isForbiddenName(name);
}

/**
 * Fast path of the spelling rules, without a regular expression: true for names of plain characters that do not begin like
 * a device. False says nothing.
 */
function isPlainlySpelled(name: string): boolean {
  const first = name.charCodeAt(0) | 32;
  // a, c, l, n and p: aux, con, lpt, nul, prn and others.
  if (first === 97 || first === 99 || first === 108 || first === 110 || first === 112) return false;
  let code = 0;
  for (let at = 0; at < name.length; at += 1) {
    code = name.charCodeAt(at);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    const isOther = (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46;
    if (!isLetter && !isOther && !(code >= 0x3040 && code <= 0x30ff) && !(code >= 0x4e00 && code <= 0x9fff))
      return false;
  }
  // A name may not end with a dot.
  return code !== 46 && name.length > 0;
}

/** True for a path with a name that most file systems cannot store. Such a file exists on Windows at most. */
export function hasTooLongName(path: string): boolean {
  return path.split('/').some((name) => new TextEncoder().encode(name).length > MAX_NAME_BYTES);
}

/** True for a name in which nothing can be seen. */
export const isUnseenName = (name: string): boolean => !SEEN.test(name);

/** Returns the name without characters that cannot be seen, by which two names would look the same. */
export const withoutUnseen = (name: string): string => name.replace(INVISIBLE, '');

/** True for a name that is off limits at any depth. Case, width and invisible characters are ignored. */
export function isForbiddenName(name: string): boolean {
  const folded = toFolded(name);
  return (
    OFF_LIMITS.has(folded) || folded.startsWith('.env.') || CREDENTIAL_ENDING.test(folded) || PRIVATE_KEY.test(folded)
  );
}

/**
 * Why only the user may write to a project path, as a clause that follows “because”; null when the assistant may, too.
 * Editors, git hosts and shells execute commands from files whose name begins with a dot, so permission to write scenes
 * must not include them.
 */
export function toWriteFault(path: string): string | null {
  const parts = path.split('/');
  for (const [index, part] of parts.entries()) {
    const folded = toFolded(part);
    if (!folded.startsWith('.') || folded === '.') continue;
    if (index === parts.length - 1 && HARMLESS_DOT_FILES.has(folded)) continue;
    return `programs may take orders from "${part.slice(0, 40)}"`;
  }
  return null;
}

function toFolded(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain names, nearly all there are, have no other form
  if (/^[\u0000-\u007f]*$/.test(name)) return name.toLowerCase();
  // Upper case first: some letters have the same upper case and different lower cases.
  return withoutUnseen(name.normalize('NFKC')).toUpperCase().toLowerCase();
}
