/** A file named in a text, with the line when one is given (1-based). `start` and `end` are offsets into the text. */
export interface PlaceMention {
  start: number;
  end: number;
  path: string;
  line: number | null;
}

const MENTION = /\.txt(?![\w.-])(?:[:：#]L?(\d{1,7})(?:[-–~]\d{1,7})?)?/gi;
const PLAIN_TAIL = /(?:[\w-]+\/)*[\w-]+$/;

/**
 * Finds the scene files a text names. Names are matched against the game's own files first, the longest that fits, for
 * Chinese prose has no spaces around a name; a name the game does not have counts only when it is plain ASCII.
 */
export function findPlaces(text: string, knownPaths: readonly string[]): PlaceMention[] {
  const places: PlaceMention[] = [];
  const known = knownPaths.filter((path) => /\.txt$/i.test(path)).flatMap(toSpellings);
  let from = 0;
  for (const match of text.matchAll(MENTION)) {
    const nameEnd = match.index + 4;
    const name = longestKnown(text.slice(from, nameEnd), known) ?? plainName(text.slice(from, match.index));
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

/** The ways to say a path: in full, without `game/`, without `game/scene/`. */
function toSpellings(path: string): Spelling[] {
  const spellings = [path];
  if (path.startsWith('game/')) spellings.push(path.slice(5));
  if (path.startsWith('game/scene/')) spellings.push(path.slice(11));
  return spellings.map((spelling) => ({ path, spelling }));
}

function longestKnown(before: string, known: readonly Spelling[]): Spelling | null {
  let best: Spelling | null = null;
  for (const candidate of known) {
    if (!before.endsWith(candidate.spelling) || candidate.spelling.length <= (best?.spelling.length ?? 0)) continue;
    const edge = before.at(-candidate.spelling.length - 1);
    if (edge === undefined || !/[\w/.-]/.test(edge) || /^[^\w]/.test(candidate.spelling)) best = candidate;
  }
  return best;
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

/** A place as a link that means something inside the app only. */
export function toPlaceHref(place: { path: string; line: number | null }): string {
  return `${PLACE_HREF}${encodeURIComponent(place.path)}${place.line === null ? '' : `:${place.line}`}`;
}

/** Reads a link back: one of ours, or a path the assistant wrote as a link. Null for everything else. */
export function fromHref(href: string, knownPaths: readonly string[]): { path: string; line: number | null } | null {
  let target = href;
  try {
    target = decodeURIComponent(href);
  } catch {
    // A stray % is part of the name; the text is matched as it stands.
  }
  if (target.startsWith(PLACE_HREF)) {
    const [, path, line] = /^#place=(.+?)(?::(\d+))?$/.exec(target) ?? [];
    return path ? { path, line: line ? Number(line) : null } : null;
  }
  const place = findPlaces(target, knownPaths)[0];
  return place && place.start <= 2 && place.end === target.length ? { path: place.path, line: place.line } : null;
}
