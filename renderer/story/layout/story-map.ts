import { SCENE_FOLDER, START_PATH } from '../../../shared/script/project-index/project-facts.ts';
import { toReadingMinutes } from '../../../shared/script/story/outline.ts';
import type { StoryEdge, StoryNode } from '../../../shared/script/story/story-graph.ts';
import type { DescribedStory } from '../../../shared/script/story/story-passages.ts';
import { toNaturalKey } from '../../state/project/natural-order.ts';

/** One node per scene, or per passage between labels and jumps. */
export type Detail = 'scenes' | 'passages';
export const MARKS = ['start', 'ending', 'deadEnd', 'unreachable', 'missing'] as const;
export type Mark = (typeof MARKS)[number];

/** A node of the map with its translated texts. Lines are 1-based. */
export interface MapNode {
  id: string;
  /** File that a click opens; for a missing target, the file that refers to it. */
  path: string;
  line: number;
  /** Last line; for a missing target, equal to `line`. */
  endLine: number;
  title: string;
  /** First dialogue text; empty if there is none. */
  opening: string;
  /** Word count, line count, reading time and speakers. */
  note: string;
  marks: readonly { mark: Mark; text: string }[];
  /** Number of words, as in `SceneSummary`. */
  count: number;
  /** Only for a folded chapter: ids of its nodes, starting with the first one in reading order. */
  folded?: readonly string[];
  /** Id of the open chapter that contains the node, if the story has chapters. */
  chapter?: string;
}

/** An edge from one node to another. */
export interface MapEdge {
  id: string;
  from: string;
  to: string;
  path: string;
  line: number;
  kind: StoryEdge['kind'] | 'missing';
  /** Label lines: the choice, the condition. */
  lines: readonly string[];
}

export interface StoryMap {
  detail: Detail;
  /** In reading order: breadth-first from the start, then unreachable nodes. */
  nodes: readonly MapNode[];
  edges: readonly MapEdge[];
}

/** Translated texts of the map. */
export interface MapWording {
  words(count: number): string;
  lines(count: number): string;
  minutes(count: number): string;
  scenes(count: number): string;
  /** Title of a chapter of scenes without a common name prefix. */
  others: string;
  call: string;
  /** Between the names of a list. */
  separator: string;
  condition(condition: string): string;
  mark(mark: Mark): string;
}

const MAX_SPEAKERS = 3;

const toSceneName = (path: string) => path.slice(SCENE_FOLDER.length).replace(/\.txt$/i, '');

/** Creates the map of a story. Edges within a scene appear only between passages. */
export function toStoryMap({ graph, passages }: DescribedStory, detail: Detail, wording: MapWording): StoryMap {
  const passageOf = new Map(passages.map((passage) => [passage.id, passage]));
  const idOf = new Map(graph.nodes.map((node) => [node.id, detail === 'scenes' ? node.path : node.id]));
  const groups = new Map<string, StoryNode[]>();
  for (const node of graph.nodes) {
    const id = idOf.get(node.id) as string;
    const group = groups.get(id);
    if (group) group.push(node);
    else groups.set(id, [node]);
  }

  const nodes = new Map<string, MapNode>();
  for (const [id, group] of groups) {
    const own = group.map((node) => passageOf.get(node.id)).filter((passage) => passage !== undefined);
    const first = group[0] as StoryNode;
    const opening = own.find((passage) => passage.opening !== null)?.opening;
    const words = own.reduce((sum, passage) => sum + passage.words, 0);
    const speakers = [...new Set(own.flatMap((passage) => passage.speakers))];
    nodes.set(id, {
      id,
      path: first.path,
      line: first.line,
      endLine: Math.max(...group.map((node) => node.endLine)),
      title: detail === 'scenes' ? toSceneName(first.path) : toPassageTitle(first),
      opening: opening ? (opening.speaker ? `${opening.speaker}: ${opening.text}` : opening.text) : '',
      note: [
        wording.words(words),
        wording.lines(group.reduce((sum, node) => sum + node.endLine - node.line + 1, 0)),
        words > 0 ? wording.minutes(toReadingMinutes(words)) : '',
        speakers.slice(0, MAX_SPEAKERS).join(wording.separator),
      ]
        .filter(Boolean)
        .join(' · '),
      marks: marksOf(group).map((mark) => ({ mark, text: wording.mark(mark) })),
      count: words,
    });
  }

  const edges: MapEdge[] = [];
  for (const edge of graph.edges) {
    const [from, to] = [idOf.get(edge.from), idOf.get(edge.to)];
    const path = groups.get(from ?? '')?.[0]?.path;
    if (from === undefined || to === undefined || path === undefined) continue;
    if (detail === 'scenes' && from === to) continue;
    const lines = [edge.text ?? (edge.kind === 'call' ? wording.call : ''), toCondition(edge, wording)];
    const { kind, line } = edge;
    edges.push({ id: `way-${edges.length}`, from, to, path, line, kind, lines: lines.filter((text) => text !== '') });
  }
  for (const { from: origin, line, target, text = '', condition } of graph.broken) {
    const from = idOf.get(origin);
    const path = groups.get(from ?? '')?.[0]?.path;
    if (from === undefined || path === undefined) continue;
    // A missing label is identified within its scene, a missing scene within the game.
    const id = `missing:${/\.txt$/i.test(target) ? '' : path}:${target}`;
    const marks = [{ mark: 'missing' as const, text: wording.mark('missing') }];
    const lines = [text, toCondition({ condition }, wording)];
    if (!nodes.has(id)) {
      nodes.set(id, { id, path, line, endLine: line, title: target, opening: '', note: '', marks, count: 0 });
    }
    edges.push({
      id: `way-${edges.length}`,
      from,
      to: id,
      path,
      line,
      kind: 'missing',
      lines: lines.filter((one) => one !== ''),
    });
  }
  return { detail, nodes: inReadingOrder(nodes, edges), edges };
}

const toCondition = ({ condition }: { condition?: string | undefined }, wording: MapWording) =>
  condition === undefined ? '' : wording.condition(condition);

function toPassageTitle({ path, label, line, id }: StoryNode): string {
  if (label !== null) return `${toSceneName(path)} › ${label}`;
  return id.endsWith('#0') ? toSceneName(path) : `${toSceneName(path)} : ${line}`;
}

function marksOf(group: readonly StoryNode[]): Mark[] {
  const reached = group.filter((node) => node.isReachable);
  // An unreachable scene still gets ending and dead-end marks.
  const counted = reached.length > 0 ? reached : group;
  const marks: Mark[] = [];
  if (group[0]?.path === START_PATH && group[0].id.endsWith('#0')) marks.push('start');
  if (reached.length === 0) marks.push('unreachable');
  if (counted.some((node) => node.isEnding)) marks.push('ending');
  if (counted.some((node) => node.isDeadEnd)) marks.push('deadEnd');
  return marks;
}

function inReadingOrder(nodes: ReadonlyMap<string, MapNode>, edges: readonly MapEdge[]): MapNode[] {
  const ways = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const list = ways.get(from);
    if (list) list.push(to);
    else ways.set(from, [to]);
  }
  const isStart = (node: MapNode) => node.marks.some(({ mark }) => mark === 'start');
  const all = inNaturalOrder([...nodes.values()]);
  const ordered = new Set<MapNode>();
  for (const first of [...all.filter(isStart), ...all]) {
    const waiting = [first];
    for (let at = 0; at < waiting.length; at += 1) {
      const node = waiting[at] as MapNode;
      if (ordered.has(node)) continue;
      ordered.add(node);
      for (const to of ways.get(node.id) ?? []) waiting.push(nodes.get(to) as MapNode);
    }
  }
  return [...ordered];
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/** Sorts nodes by the names of their scenes as the list of files does, and by line. */
function inNaturalOrder(nodes: readonly MapNode[]): MapNode[] {
  const keyed = nodes.map((node) => ({ node, key: toNaturalKey(node.path) }));
  keyed.sort((one, other) => COLLATOR.compare(one.key, other.key) || one.node.line - other.node.line);
  return keyed.map(({ node }) => node);
}

/** Returns the first node of a scene, or null. Lines before its first statement belong to no node. */
export function findSceneNode(nodes: readonly MapNode[], path: string): MapNode | null {
  const own = nodes.filter((node) => node.path === path && !node.marks.some(({ mark }) => mark === 'missing'));
  return own.reduce<MapNode | null>((first, node) => (first === null || node.line < first.line ? node : first), null);
}

/** Returns the node that contains a line, or null. Missing targets contain no lines. */
export function findNodeAt(nodes: readonly MapNode[], place: { path: string; line: number }): MapNode | null {
  const holds = ({ path, line, endLine, marks }: MapNode) =>
    path === place.path && line <= place.line && place.line <= endLine && !marks.some(({ mark }) => mark === 'missing');
  return nodes.find(holds) ?? null;
}

/** Counts nodes per mark, in the order of `MARKS`; omits marks without nodes. */
export function countMarks(nodes: readonly MapNode[]): { mark: Mark; count: number }[] {
  return MARKS.map((mark) => ({
    mark,
    count: nodes.filter(({ marks }) => marks.some((one) => one.mark === mark)).length,
  })).filter(({ count }) => count > 0);
}
