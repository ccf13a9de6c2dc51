const PLACE = /([\p{L}\p{N}_./-]{1,300}\.[a-z0-9]{1,8}):(\d{1,7})/gu;
const MAX_PLACES = 60;

/** Returns the places `path:line` that a text names in files that were read, each once, in order. Pure. */
export function findPlaces(text: string, read: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const [, name = '', line = ''] of text.matchAll(PLACE)) {
    // A model often leaves out the folder.
    const path = read.has(name) ? name : [...read].find((each) => each.endsWith(`/${name}`));
    if (path !== undefined && Number(line) > 0) found.add(`${path}:${Number(line)}`);
    if (found.size === MAX_PLACES) break;
  }
  return [...found];
}
