/** A file named in a text, with an optional 1-based line. `start` and `end` are offsets into the text. */
export interface PlaceMention {
  start: number;
  end: number;
  path: string;
  line: number | null;
}

const MENTION = /\.txt(?![\w.-])(?:[:：#]L?(\d{1,7})(?:[-–~]\d{1,7})?)?/gi;
const PLAIN_TAIL = /(?:[\w-]+\/)*[\w-]+$/;

/**
 * Finds the scene files that a text names. Matches the files of the game first and prefers the longest match, because
 * Chinese prose has no spaces around a name. An unknown name counts only if it is plain ASCII.
 */
export function findPlaces(text: string, knownPaths: readonly string[]): PlaceMention[] {
  const places: PlaceMention[] = [];
  let from = 0;
  for (const match of text.matchAll(MENTION)) {
    const nameEnd = match.index + 4;
    const before = text.slice(from, match.index);
    const name = longestKnown(text.slice(from, nameEnd), toSpellings(knownPaths)) ?? plainName(before);
    if (!name) continue;
    const end = match.index + match[0].length;
    const line = match[1] ? Number(match[1]) : 0;
    places.push({ start: nameEnd - name.spelling.length, end, path: name.path, line: line > 0 ? line : null });
    from = end;
  }
  return places;
}

interface Spelling {
  path: string;
  spelling: string;
}

/** All spellings of the paths of a game, and their lengths, longest first. */
interface Spellings {
  paths: ReadonlyMap<string, string>;
  lengths: readonly number[];
}

/** Cache by list of paths: a game with thousands of scenes has many spellings. */
const spellingsOf = new WeakMap<readonly string[], Spellings>();

/** Returns the spellings of each path: in full, without `game/`, without `game/scene/`. The first path wins a tie. */
function toSpellings(knownPaths: readonly string[]): Spellings {
  const known = spellingsOf.get(knownPaths);
  if (known) return known;
  const paths = new Map<string, string>();
  for (const path of knownPaths) {
    if (!/\.txt$/i.test(path)) continue;
    const ways = [path];
    if (path.startsWith('game/')) ways.push(path.slice(5));
    if (path.startsWith('game/scene/')) ways.push(path.slice(11));
    for (const spelling of ways) if (!paths.has(spelling)) paths.set(spelling, path);
  }
  const lengths = [...new Set([...paths.keys()].map(({ length }) => length))].sort((one, other) => other - one);
  const spellings = { paths, lengths };
  spellingsOf.set(knownPaths, spellings);
  return spellings;
}

function longestKnown(before: string, { paths, lengths }: Spellings): Spelling | null {
  for (const length of lengths) {
    if (length > before.length) continue;
    const spelling = before.slice(-length);
    const path = paths.get(spelling);
    if (path === undefined) continue;
    const edge = before.at(-length - 1);
    if (edge === undefined || !/[\w/.-]/.test(edge) || /^[^\w]/.test(spelling)) return { path, spelling };
  }
  return null;
}

function plainName(before: string): Spelling | null {
  const tail = PLAIN_TAIL.exec(before)?.[0];
  if (!tail) return null;
  const spelling = `${tail}.txt`;
  if (tail.startsWith('game/')) return { path: spelling, spelling };
  if (tail.startsWith('scene/')) return { path: `game/${spelling}`, spelling };
  return tail.includes('/') ? null : { path: `game/scene/${spelling}`, spelling };
}

const PLACE_HREF = '#place=';

/** Returns a location as an app-internal link. */
export function toPlaceHref(place: { path: string; line: number | null }): string {
  return `${PLACE_HREF}${encodeURIComponent(place.path)}${place.line === null ? '' : `:${place.line}`}`;
}

/** Parses a link: an app-internal one, or a path that the assistant wrote as a link. Null for any other. */
export function fromHref(href: string, knownPaths: readonly string[]): { path: string; line: number | null } | null {
  let target = href;
  try {
    target = decodeURIComponent(href);
  } catch {
    // An invalid escape is part of the name: match the text undecoded.
  }
  if (target.startsWith(PLACE_HREF)) {
    const [, path, line] = /^#place=(.+?)(?::(\d+))?$/.exec(target) ?? [];
    return path ? { path, line: line ? Number(line) : null } : null;
  }
  const place = findPlaces(target, knownPaths)[0];
  return place && place.start <= 2 && place.end === target.length ? { path: place.path, line: place.line } : null;
}
