import { SCENE_FOLDER, START_PATH } from '../../../shared/script/index/project-facts.ts';
import { toReadingMinutes } from '../../../shared/script/services/outline.ts';
import type { StoryEdge, StoryNode } from '../../../shared/script/story/story-graph.ts';
import type { DescribedStory } from '../../../shared/script/story/story-passages.ts';

/** A box per scene, or per stretch between labels and jumps. */
export type Detail = 'scenes' | 'passages';
export const MARKS = ['start', 'ending', 'deadEnd', 'unreachable', 'missing'] as const;
export type Mark = (typeof MARKS)[number];

/** A box of the map, worded. Lines are 1-based. */
export interface MapNode {
  id: string;
  /** Where a click leads; for what is missing, the line that leads there. */
  path: string;
  line: number;
  /** The last line of the box; for what is missing, the same line. */
  endLine: number;
  title: string;
  /** How it begins; empty where nothing is said. */
  opening: string;
  /** How much there is to read and how long it takes, and who speaks. */
  note: string;
  marks: readonly { mark: Mark; text: string }[];
  /** Words, as in `SceneSummary`. */
  count: number;
  /** The ids of the boxes that a folded chapter stands for, the one read first at the beginning; only a chapter has them. */
  folded?: readonly string[];
  /** The open chapter that the box is seen in, if the story is long enough for chapters. */
  chapter?: string;
}

/** A way from one box to another. */
export interface MapEdge {
  id: string;
  from: string;
  to: string;
  path: string;
  line: number;
  kind: StoryEdge['kind'] | 'missing';
  /** What stands at it: the choice, the condition. */
  lines: readonly string[];
}

export interface StoryMap {
  detail: Detail;
  /** As a reader comes by: from the start on, then what nothing leads to. */
  nodes: readonly MapNode[];
  edges: readonly MapEdge[];
}

/** The words of the map, in her language. */
export interface MapWording {
  words(count: number): string;
  lines(count: number): string;
  minutes(count: number): string;
  scenes(count: number): string;
  /** A chapter of scenes whose names have nothing in common. */
  others: string;
  call: string;
  condition(condition: string): string;
  mark(mark: Mark): string;
}

const MOST_SPEAKERS = 3;

const toSceneName = (path: string) => path.slice(SCENE_FOLDER.length).replace(/\.txt$/i, '');

/** What the map shows of a story. Ways within a scene are seen between its passages only. */
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
        speakers.slice(0, MOST_SPEAKERS).join(', '),
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
    // A label is missing from its own scene, a scene from the whole game.
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
  // Of a scene nothing leads to, it still counts how it ends.
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
  const all = [...nodes.values()];
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

/** The box that holds a line of the story; null where no box does. What is missing holds none. */
export function findNodeAt(nodes: readonly MapNode[], place: { path: string; line: number }): MapNode | null {
  const holds = ({ path, line, endLine, marks }: MapNode) =>
    path === place.path && line <= place.line && place.line <= endLine && !marks.some(({ mark }) => mark === 'missing');
  return nodes.find(holds) ?? null;
}

/** How many boxes bear each mark, in the order of `MARKS`; those that none bears are left out. */
export function countMarks(nodes: readonly MapNode[]): { mark: Mark; count: number }[] {
  return MARKS.map((mark) => ({
    mark,
    count: nodes.filter(({ marks }) => marks.some((one) => one.mark === mark)).length,
  })).filter(({ count }) => count > 0);
}
