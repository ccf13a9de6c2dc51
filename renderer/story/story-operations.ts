import type { DescribedStory } from '../../shared/script/story/story-passages.ts';
import { type PictureLook, toStorySvg } from './export/story-svg.ts';
import { findInStory, type StoryMatch, type StoryMatches, type StorySearch } from './find-in-story.ts';
import { type Chapter, nameApart, toChapters } from './layout/chapters.ts';
import { foldStory, type Stands, standsFor } from './layout/fold-story.ts';
import { layOutStory } from './layout/lay-out-story.ts';
import { type MapWords, toMapWording } from './layout/map-words.ts';
import type { PlacedMap } from './layout/placed-map.ts';
import { layOutAgain, toStructure } from './layout/same-structure.ts';
import {
  countMarks,
  type Detail,
  findNodeAt,
  findSceneNode,
  type MapEdge,
  type MapNode,
  type MapWording,
  type Mark,
  type StoryMap,
  toStoryMap,
} from './layout/story-map.ts';
import { wrapMap } from './layout/wrap-map.ts';

export interface Place {
  path: string;
  /** 1-based. */
  line: number;
}

export interface DrawRequest {
  /** Null selects the detail by the length of the story. */
  detail: Detail | null;
  /** Chapters to open, most recent last; null opens the one with `place`, or with the start. */
  open: readonly string[] | null;
  place: Place | null;
}

/** The displayed part of a story, limited to `MAX_NODES` nodes. */
export interface StoryView {
  detail: Detail;
  /** Number of nodes of the whole map. */
  boxes: number;
  scenes: number;
  words: number;
  marks: readonly { mark: Mark; count: number }[];
  /** Open chapters; empty if the story has no chapters. */
  open: readonly { id: string; title: string; parent: string | null }[];
  placed: PlacedMap;
}

/** Location of a node in the last drawn view. */
export interface Drawn {
  /** Id of the drawn node: of its chapter while that is folded. */
  box: string;
  id: string;
  chapter: string | null;
}

export interface ListRow {
  node: MapNode;
  ways: readonly { edge: MapEdge; to: string }[];
  /** The line of the node that the search found, 1-based: a row of its own, after that of its node. Null for the node. */
  line: number | null;
}

/** A drawn node with matches, and the first line to open. */
interface Highlight {
  box: string;
  matches: number;
  line: number | null;
}

/** A story with at most this many passages is shown by passage: its choices are often within one scene. */
const MAX_PASSAGES_SHOWN = 40;
/** Maximum number of drawn nodes; beyond it, the chapter opened first is folded first. */
const MAX_NODES = 400;

interface Known {
  map: StoryMap;
  chapters: readonly Chapter[];
  chapterOf: ReadonlyMap<string, string>;
}

/** Creates the expensive operations on the open story, for a worker: mapping, layout and search. */
export function createStoryOperations() {
  let story: DescribedStory = NO_STORY;
  let wording: MapWording | null = null;
  let known: Partial<Record<Detail, Known>> = {};
  let detail: Detail = 'scenes';
  let stands: Stands = new Map();
  let last: { structure: string; placed: PlacedMap } | null = null;
  let found: StoryMatches = { matches: [], lines: 0 };

  const read = (wanted: Detail): Known => {
    const before = known[wanted];
    if (before) return before;
    known[wanted] = toKnown(toStoryMap(story, wanted, wording as MapWording));
    return known[wanted];
  };
  return {
    /** Loads a story as JSON of `DescribedStory`, with the translated texts. */
    take({ json, words }: { json: string; words: MapWords }): void {
      story = JSON.parse(json) as DescribedStory;
      wording = toMapWording(words);
      known = {};
    },
    draw(request: DrawRequest): StoryView {
      detail = request.detail ?? (story.graph.nodes.length > MAX_PASSAGES_SHOWN ? 'scenes' : 'passages');
      const own = read(detail);
      const open = selectOpenChapters(own, request);
      stands = standsFor(own.map, own.chapters, new Set(open));
      const folded = foldStory(own.map, own.chapters, { stands, wording: wording as MapWording });
      const structure = toStructure(folded);
      const placed = last?.structure === structure ? layOutAgain(last.placed, folded) : wrapMap(layOutStory(folded));
      last = { structure, placed };
      const chapters = new Map(own.chapters.map((chapter) => [chapter.id, chapter]));
      return {
        detail,
        boxes: own.map.nodes.length,
        scenes: story.scenes,
        words: story.graph.words,
        marks: countMarks(own.map.nodes),
        open: nameApart(
          open.map((id) => {
            const { title = '', parent = null } = chapters.get(id) ?? {};
            return { id, title: title || (wording as MapWording).others, parent };
          }),
          (id) => own.map.nodes.find((node) => node.id === chapters.get(id)?.members[0])?.title ?? '',
        ),
        placed,
      };
    },
    /** Returns the drawn node that contains a line, or null. */
    locate: (place: Place): Drawn | null => toDrawn(findNodeAt(read(detail).map.nodes, place), read(detail), stands),
    /** Returns the first node of a scene. */
    locateScene: ({ path }: Pick<Place, 'path'>): Drawn | null =>
      toDrawn(findSceneNode(read(detail).map.nodes, path), read(detail), stands),
    find(search: StorySearch): { boxes: number; lines: number } {
      found = findInStory(read(detail).map.nodes, search);
      return { boxes: found.matches.length, lines: found.lines };
    },
    /** Returns the match at an index in the order of the map, with the chapter to open for it. */
    match({ at }: { at: number }): { id: string; chapter: string | null; line: number | null } | null {
      const match = found.matches[at];
      return match
        ? { id: match.id, chapter: read(detail).chapterOf.get(match.id) ?? null, line: match.lines[0] ?? null }
        : null;
    },
    /** Returns, for each drawn node with matches, their number and the first line to open. */
    highlights(_: object): Highlight[] {
      return toHighlights(found, stands);
    },
    /** Returns list rows from `from` (inclusive) to `to` (exclusive): of all nodes, or of the matches and their lines. */
    rows({ from, to, isFound }: { from: number; to: number; isFound: boolean }): ListRow[] {
      const { map } = read(detail);
      return isFound ? toFoundRows(map, found.matches, { from, to }) : toListRows(map, map.nodes.slice(from, to));
    },
    /** Renders the whole story as SVG, with every chapter open. */
    picture({ look }: { look: PictureLook }): { svg: string; width: number; height: number } {
      const placed = wrapMap(layOutStory(read(detail).map));
      return { svg: toStorySvg(placed, look), width: placed.width, height: placed.height };
    },
  };
}

/** Returns the chapters to open, as many of the wanted ones as fit. */
function selectOpenChapters({ chapters, chapterOf, map }: Known, { open, place }: DrawRequest): string[] {
  const here = (place && findNodeAt(map.nodes, place)) ?? map.nodes[0];
  const first = here && chapterOf.get(here.id);
  const wanted = open ?? (first === undefined ? [] : [first]);
  const byId = new Map(chapters.map((chapter) => [chapter.id, chapter]));
  let boxes = chapters.filter(({ parent }) => parent === null).length;
  let fitting: string[] = [];
  for (const last of [...new Set(wanted)].toReversed()) {
    const way: string[] = [];
    let size = 0;
    for (let one = byId.get(last); one; one = byId.get(one.parent ?? '')) {
      if (fitting.includes(one.id)) continue;
      way.unshift(one.id);
      size += one.size;
    }
    if (boxes + size > MAX_NODES && fitting.length > 0) break;
    boxes += size;
    fitting = [...way, ...fitting];
  }
  return fitting;
}

function toKnown(map: StoryMap): Known {
  const chapters = toChapters(map.nodes);
  const chapterOf = new Map(chapters.flatMap(({ id, members }) => members.map((member) => [member, id] as const)));
  return { map, chapters, chapterOf };
}

function toHighlights(found: StoryMatches, stands: Stands): Highlight[] {
  const boxes = new Map<string, Highlight>();
  for (const { id, lines } of found.matches) {
    const box = stands.get(id) ?? id;
    const one = boxes.get(box);
    if (one) one.matches += 1;
    else boxes.set(box, { box, matches: 1, line: box === id ? (lines[0] ?? null) : null });
  }
  return [...boxes.values()];
}

function toListRows(map: StoryMap, wanted: readonly { id: string }[]): ListRow[] {
  const byId = new Map(map.nodes.map((node) => [node.id, node]));
  const ids = new Set(wanted.map(({ id }) => id));
  const ways = Map.groupBy(
    map.edges.filter((edge) => ids.has(edge.from)),
    (edge) => edge.from,
  );
  return wanted.map(({ id }) => ({
    node: byId.get(id) as MapNode,
    line: null,
    ways: (ways.get(id) ?? []).map((edge) => ({ edge, to: byId.get(edge.to)?.title ?? '' })),
  }));
}

/** Returns a part of the rows of a search: each match, and after it its lines. */
function toFoundRows(
  map: StoryMap,
  matches: readonly StoryMatch[],
  { from, to }: { from: number; to: number },
): ListRow[] {
  const within: { match: StoryMatch; start: number }[] = [];
  let start = 0;
  for (const match of matches) {
    if (start + match.lines.length >= from && start < to) within.push({ match, start });
    start += 1 + match.lines.length;
  }
  const rows = toListRows(
    map,
    within.map(({ match }) => match),
  );
  return within.flatMap(({ match, start }, at) => {
    const own = rows[at] as ListRow;
    // The lines tell more than how the scene begins and where it leads.
    const head = match.lines.length > 0 ? { ...own, node: { ...own.node, opening: '' }, ways: [] } : own;
    const lines = match.lines.slice(Math.max(0, from - start - 1), Math.max(0, to - start - 1));
    return [...(start >= from ? [head] : []), ...lines.map((line) => ({ node: own.node, line, ways: [] }))];
  });
}

const NO_STORY: DescribedStory = {
  graph: { nodes: [], edges: [], broken: [], words: 0 },
  scenes: 0,
  passages: [],
};

export type StoryOperations = ReturnType<typeof createStoryOperations>;

function toDrawn(node: MapNode | null, { chapterOf }: Known, stands: Stands): Drawn | null {
  if (node === null) return null;
  const { id } = node;
  return { id, box: stands.get(id) ?? id, chapter: chapterOf.get(id) ?? null };
}
