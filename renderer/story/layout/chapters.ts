import { SCENE_FOLDER } from '../../../shared/script/project-index/project-facts.ts';
import { toNaturalKey } from '../../state/project/natural-order.ts';
import type { MapNode } from './story-map.ts';

/** A group of scenes with a common name prefix. Every node of the map is in exactly one chapter without nested chapters. */
export interface Chapter {
  /** Stable while scenes of the chapter are edited. */
  id: string;
  /** Common part of the names, or the first and the last name; empty for scenes without a common prefix. */
  title: string;
  /** Ids of all nodes in it, by name and then by line; never empty. */
  members: readonly string[];
  /** Id of the enclosing chapter. */
  parent: string | null;
  /** Number of nodes drawn when it is open: its nested chapters, or its members. */
  size: number;
}

/** A story with at most this many nodes has no chapters. */
const MAX_UNGROUPED_NODES = 60;
/** A chapter with more nodes is split into nested chapters. */
const MAX_CHAPTER_NODES = 30;
/** Maximum number of sibling chapters. */
const MAX_SIBLINGS = 32;
/** Fewer scenes do not form a chapter. */
const MIN_CHAPTER_SCENES = 3;

const NATURAL_ORDER = new Intl.Collator('zh', { numeric: true });
/** `第二章`, a number, a word, or a separator. Language data: how chapters are named. */
const TOKEN =
  /第[^第章幕回话話节節卷部天日]{1,6}[章幕回话話节節卷部天日]|\p{Nd}+|[\p{L}\p{M}]+?(?=第.{1,6}[章幕回话話节節卷部天日])|[\p{L}\p{M}]+|[^\p{L}\p{M}\p{Nd}]+/gu;

/** Ends each token of a key, so that a name with `*`, `#` or `~` gets no key that the parts below use. */
const TOKEN_END = '\u001f';

interface Scene {
  name: string;
  tokens: readonly string[];
  boxes: readonly MapNode[];
}

interface Group {
  key: string;
  scenes: readonly Scene[];
  boxes: readonly MapNode[];
  /** Empty, or at least two. */
  parts: readonly Group[];
}

/**
 * Groups the nodes of a map into chapters by the names of their scenes. Each chapter precedes its nested chapters. Returns
 * an empty list for a short story. O(n log n).
 */
export function toChapters(nodes: readonly MapNode[]): Chapter[] {
  if (nodes.length <= MAX_UNGROUPED_NODES) return [];
  const whole = split(toScenes(nodes), 0, '');
  return nameGroups(gather(whole.parts, whole.key), null);
}

function toScenes(nodes: readonly MapNode[]): Scene[] {
  const scenes = [...Map.groupBy(nodes, ({ path }) => path)].map(([path, boxes]) => {
    const name = path.slice(SCENE_FOLDER.length).replace(/\.txt$/i, '');
    const tokens = name.toLowerCase().match(TOKEN) ?? [];
    return { name, key: toNaturalKey(name), tokens, boxes: boxes.toSorted((one, other) => one.line - other.line) };
  });
  return scenes.sort((one, other) => NATURAL_ORDER.compare(one.key, other.key) || (one.name < other.name ? -1 : 1));
}

const countBoxes = (scenes: readonly Scene[]) => scenes.reduce((sum, { boxes }) => sum + boxes.length, 0);
const toGroup = (key: string, scenes: readonly Scene[], parts: readonly Group[] = []): Group => ({
  key,
  scenes,
  boxes: scenes.flatMap(({ boxes }) => boxes),
  parts,
});

/** Splits by the next part of the name until each group fits; single scenes form one group. */
function split(scenes: readonly Scene[], start: number, prefix: string): Group {
  let [depth, key] = [start, prefix];
  if (countBoxes(scenes) <= MAX_CHAPTER_NODES) return toGroup(key, scenes);
  for (;;) {
    const parts = Map.groupBy(scenes, ({ tokens }) => tokens[depth]);
    const [only] = parts.keys();
    if (parts.size === 1 && only !== undefined) {
      [depth, key] = [depth + 1, key + only + TOKEN_END];
      continue;
    }
    const groups: Group[] = [];
    const rest: Scene[] = [];
    for (const [token, part] of parts) {
      if (token === undefined || (part.length < MIN_CHAPTER_SCENES && countBoxes(part) <= MAX_CHAPTER_NODES))
        rest.push(...part);
      else groups.push(split(part, depth + 1, key + token + TOKEN_END));
    }
    if (rest.length > 0) groups.push(...cut(`${key}*`, rest));
    return toGroup(key, scenes, groups.length > 1 ? groups : (groups[0]?.parts ?? []));
  }
}

/** Splits scenes without a common prefix into groups that fit, by name and line. */
function cut(key: string, scenes: readonly Scene[]): Group[] {
  const whole = toGroup(key, scenes);
  if (whole.boxes.length <= MAX_CHAPTER_NODES) return [whole];
  const sceneOf = new Map(scenes.flatMap((scene) => scene.boxes.map((box) => [box, scene])));
  return Array.from({ length: Math.ceil(whole.boxes.length / MAX_CHAPTER_NODES) }, (_, at) => {
    const boxes = whole.boxes.slice(at * MAX_CHAPTER_NODES, (at + 1) * MAX_CHAPTER_NODES);
    const own = new Set(boxes.map((box) => sceneOf.get(box) as Scene));
    return { key: `${key}#${at}`, scenes: [...own], boxes, parts: [] };
  });
}

/** Limits the siblings: replaces a group that has most of the nodes by its parts, then joins neighbours. */
function gather(groups: readonly Group[], key: string): Group[] {
  let siblings = [...groups];
  const all = siblings.reduce((sum, { boxes }) => sum + boxes.length, 0);
  for (;;) {
    const largest = siblings.find(
      ({ boxes, parts }) =>
        boxes.length * 2 > all && parts.length > 0 && siblings.length + parts.length - 1 <= MAX_SIBLINGS,
    );
    if (largest === undefined) break;
    siblings = siblings.flatMap((group) => (group === largest ? largest.parts : group));
  }
  siblings = siblings.map((group) => ({ ...group, parts: gather(group.parts, group.key) }));
  for (let level = 0; siblings.length > MAX_SIBLINGS; level += 1) {
    const count = Math.ceil(siblings.length / Math.ceil(siblings.length / MAX_SIBLINGS));
    siblings = Array.from({ length: Math.ceil(siblings.length / count) }, (_, at) => {
      const parts = siblings.slice(at * count, (at + 1) * count);
      const [first] = parts;
      if (first && parts.length === 1) return first;
      return {
        key: `${key}~${level}.${at}`,
        scenes: parts.flatMap(({ scenes }) => scenes),
        boxes: parts.flatMap(({ boxes }) => boxes),
        parts,
      };
    });
  }
  return siblings;
}

function nameGroups(groups: readonly Group[], parent: string | null): Chapter[] {
  const titles = groups.map(({ scenes }) => toCommonName(scenes));
  const times = new Map<string, number>();
  for (const title of titles) times.set(title, (times.get(title) ?? 0) + 1);
  return groups.flatMap(({ key, scenes, boxes, parts }, at) => {
    const own = titles[at] as string;
    const title = times.get(own) === 1 ? own : toSpan(scenes, boxes);
    const id = `chapter:${key}`;
    const size = parts.length || boxes.length;
    const members = boxes.map((box) => box.id);
    return [{ id, title, members, parent, size }, ...nameGroups(parts, id)];
  });
}

function toCommonName(scenes: readonly Scene[]): string {
  const [first, ...others] = scenes;
  if (first === undefined || others.length === 0) return first?.name ?? '';
  const isShared = (at: number) => others.every(({ tokens }) => tokens[at] === first.tokens[at]);
  let [count, length] = [0, 0];
  while (count < first.tokens.length && isShared(count)) {
    length += first.tokens[count]?.length ?? 0;
    count += 1;
  }
  return first.name.slice(0, length).replace(/[^\p{L}\p{M}\p{Nd}]+$/u, '');
}

function toSpan(scenes: readonly Scene[], boxes: readonly MapNode[]): string {
  const [first, last] = [scenes[0]?.name ?? '', scenes.at(-1)?.name ?? ''];
  return first === last ? `${first} : ${boxes[0]?.line}–${boxes.at(-1)?.endLine}` : `${first} – ${last}`;
}

/**
 * Adds the first scene (`firstOf`) to titles that several chapters have: one and its part, or two parts of a long one, can have
 * the same common beginning of their names.
 */
export function nameApart<Named extends { id: string; title: string }>(
  chapters: readonly Named[],
  firstOf: (id: string) => string,
): Named[] {
  const counts = new Map<string, number>();
  for (const { title } of chapters) counts.set(title, (counts.get(title) ?? 0) + 1);
  return chapters.map((chapter) =>
    (counts.get(chapter.title) ?? 0) > 1 ? { ...chapter, title: `${chapter.title} · ${firstOf(chapter.id)}` } : chapter,
  );
}
