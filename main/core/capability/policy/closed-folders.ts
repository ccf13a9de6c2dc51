/**
 * Returns true for a path in a folder that the policy file closes. A name without `/` closes folders of that name at any depth, as
 * the built-in ones; a path closes that folder. The comparison ignores case and Unicode normalisation.
 */
export function isClosed(path: string, closed: readonly string[]): boolean {
  const own = fold(path);
  return closed.some((entry) => {
    const folder = fold(entry);
    if (!folder.includes('/')) return own.split('/').includes(folder);
    return own === folder || own.startsWith(`${folder}/`);
  });
}

function fold(path: string): string {
  // Upper, then lower case: some file systems treat letters whose upper-case form has several letters as equal to it.
  return path.normalize('NFC').toUpperCase().toLowerCase();
}
