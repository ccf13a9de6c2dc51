/**
 * True for a path in one of the folders that the game's rules close. A name without `/` closes such folders wherever they
 * stand, as the built-in ones; a path closes that one. Case and composition never open a folder.
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
  // Both ways and back: capital forms that fold to several small letters are one name on some disks.
  return path.normalize('NFC').toUpperCase().toLowerCase();
}
