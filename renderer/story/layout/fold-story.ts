import type { Chapter } from './chapters.ts';
import { MARKS, type MapEdge, type MapNode, type MapWording, type Mark, type StoryMap } from './story-map.ts';

/** Id of the drawn node, by id of the node, while some chapters are folded. */
export type Stands = ReadonlyMap<string, string>;

/** Returns the id of the drawn node for each node: the folded chapter that contains it, else the node itself. */
export function standsFor(map: StoryMap, chapters: readonly Chapter[], open: ReadonlySet<string>): Stands {
  const drawn = new Map(map.nodes.map(({ id }) => [id, id]));
  // Innermost first: a folded outer chapter overrides open chapters in it.
  for (const { id, members } of chapters.toReversed()) {
    if (!open.has(id)) for (const member of members) drawn.set(member, id);
  }
  return drawn;
}

/**
 * Returns the map with one node per folded chapter. Drops edges within a folded chapter; moves all other edges to the
 * drawn nodes of their ends. Linear.
 */
export function foldStory(
  map: StoryMap,
  chapters: readonly Chapter[],
  { stands, wording }: { stands: Stands; wording: MapWording },
): StoryMap {
  if (chapters.length === 0) return map;
  const byId = new Map(map.nodes.map((node) => [node.id, node]));
  const chapterById = new Map(chapters.map((chapter) => [chapter.id, chapter]));
  const chapterOf = new Map(chapters.flatMap(({ id, members }) => members.map((member) => [member, id] as const)));
  const nodes = new Map<string, MapNode>();
  for (const node of map.nodes) {
    const id = stands.get(node.id) as string;
    if (nodes.has(id)) continue;
    const chapter = chapterById.get(id);
    const own = chapter ? chapter.parent : chapterOf.get(node.id);
    nodes.set(id, {
      ...(chapter ? toChapterBox(chapter, node, { byId, wording }) : node),
      ...(own && { chapter: own }),
    });
  }
  const edges: MapEdge[] = [];
  for (const edge of map.edges) {
    const [from, to] = [stands.get(edge.from) as string, stands.get(edge.to) as string];
    const isFolded = from !== edge.from || to !== edge.to;
    if (isFolded && from === to) continue;
    // Two folded chapters can have many edges between them: their labels are shown only when one is open.
    const areBothFolded = from !== edge.from && to !== edge.to;
    edges.push(isFolded ? { ...edge, from, to, ...(areBothFolded && { lines: [] }) } : edge);
  }
  return { detail: map.detail, nodes: [...nodes.values()], edges };
}

/** `first` is the first node of the chapter in reading order. */
function toChapterBox(
  { id, title, members }: Chapter,
  first: MapNode,
  { byId, wording }: { byId: ReadonlyMap<string, MapNode>; wording: MapWording },
): MapNode {
  const own = members.map((member) => byId.get(member)).filter((node) => node !== undefined);
  const has = (node: MapNode, mark: Mark) => node.marks.some((one) => one.mark === mark);
  const marks = MARKS.flatMap((mark) => {
    const count = own.filter((node) => has(node, mark)).length;
    if (count === 0) return [];
    return { mark, text: count === 1 ? wording.mark(mark) : `${wording.mark(mark)} ${count}` };
  });
  const scenes = new Set(own.map(({ path }) => path)).size;
  const words = own.reduce((sum, node) => sum + node.count, 0);
  return {
    id,
    path: first.path,
    line: first.line,
    endLine: first.line,
    title: title === '' ? wording.others : title,
    opening: '',
    note: [wording.scenes(scenes), wording.words(words)].join(' · '),
    count: words,
    marks,
    folded: [first.id, ...members.filter((member) => member !== first.id)],
  };
}
