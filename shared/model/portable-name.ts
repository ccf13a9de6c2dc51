/** Folders no tool and no page may name, at any depth (tool contract §0.3). `.webgal_agent` is the app's own. */
export const FORBIDDEN_DIRS = ['.git', 'node_modules', '.env', '.webgal_agent'] as const;

/** Where programs keep keys and passwords: folders, files, and what files of that kind end in. Off limits like the above. */
export const CREDENTIAL_DIRS = [
  ...['.ssh', '.aws', '.azure', '.gcloud', '.gnupg', '.kube', '.docker', '.password-store', '.config'],
] as const;
const CREDENTIAL_FILES: ReadonlySet<string> = new Set([
  ...['.git-credentials', '.netrc', '_netrc', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.pgpass', '.my.cnf'],
  ...['.htpasswd', '.dockercfg', '.envrc', '.vault-token', '.gitconfig'],
]);
const CREDENTIAL_ENDING = /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|gpg)$/;
const PRIVATE_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\.|$)/;

/** Files beginning with a dot that nothing runs and nothing takes orders from. */
const HARMLESS_DOT_FILES: ReadonlySet<string> = new Set(['.gitignore', '.gitkeep', '.keep', '.editorconfig']);

/** Windows takes these for devices whatever follows the first dot, and ignores blanks before it. */
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(\.|$)/i;
const SHORT_ALIAS = /^[^.]{1,8}~\d/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const FORBIDDEN_CHARACTERS = /[\u0000-\u001f\u007f-\u009f<>:"|?*\\\ufffe\uffff]/;
/** Turns letters around or breaks the line: such a name is not what it looks like on any page. */
const MISLEADING = /[\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
/** Names that no rule below can mean, which nearly all are: told by one look. */
const PLAIN =
  /^(?!con|prn|aux|nul|com|lpt|clock|node_m|id_|_n)(?!.*\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|gpg)$)[\w\u3040-\u30ff\u4e00-\u9fff-]+(?:\.[\w-]+)*$/i;
const OFF_LIMITS: ReadonlySet<string> = new Set([...FORBIDDEN_DIRS, ...CREDENTIAL_DIRS, ...CREDENTIAL_FILES]);
/** Characters that some file systems leave out when they compare names. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Why a single name of a path is refused on every system, in words that follow “because”; null when it is fine. One rule
 * for all systems, so that a project made on Linux cannot hold a name that means something else on Windows.
 * Pure and without imports: the search thread asks it for every file.
 */
export function toNameFault(name: string): string | null {
  if (PLAIN.test(name)) return null;
  if (!name.isWellFormed()) return 'it is not valid text';
  if (FORBIDDEN_CHARACTERS.test(name)) return 'it holds a character that file names cannot have everywhere';
  if (MISLEADING.test(name)) return 'it holds a character that makes a name look like another';
  if (name === '..') return 'it leaves the project';
  if (/[. ]$/.test(name)) return 'a name ends with a dot or a space';
  if (DEVICE_NAME.test(name)) return 'it names a system device';
  if (SHORT_ALIAS.test(name)) return 'it looks like a short alias of another name';
  if (isForbiddenName(name)) return `"${name.slice(0, 40)}" is off limits`;
  return null;
}

/**
 * True for a name that is refused for its spelling alone: the file may well lie there, on a system that takes such names,
 * but no path of the app can name it. Names that are off limits or look like another are not among them.
 */
export function isUnportable(name: string): boolean {
  return (
    name.isWellFormed() &&
    toNameFault(name) !== null &&
    !/^\.+$/.test(name) &&
    !MISLEADING.test(name) &&
    !isForbiddenName(name)
  );
}

/** True for a name that is off limits wherever it stands, however it is written: case, width and invisible letters do not count. */
export function isForbiddenName(name: string): boolean {
  const folded = toFolded(name);
  return (
    OFF_LIMITS.has(folded) || folded.startsWith('.env.') || CREDENTIAL_ENDING.test(folded) || PRIVATE_KEY.test(folded)
  );
}

/**
 * Why nothing is written to a project path on anybody's behalf but the writer's, in words that follow “because”; null when
 * it is fine. Editors, git hosts and shells take orders from names beginning with a dot, so who may write scenes could have
 * programs run by them.
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
  // Up and down again: some letters share an upper case and no lower one.
  return name.normalize('NFKC').replace(INVISIBLE, '').toUpperCase().toLowerCase();
}
