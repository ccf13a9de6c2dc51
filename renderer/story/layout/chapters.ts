import { SCENE_FOLDER } from '../../../shared/script/index/project-facts.ts';
import type { MapNode } from './story-map.ts';

/** Scenes whose names begin alike, as a writer would sort them. Every box of the map is in exactly one without chapters of its own. */
export interface Chapter {
  /** Stays the same while scenes of the chapter are written. */
  id: string;
  /** What the names have in common, or the first and the last; empty for scenes with nothing in common. */
  title: string;
  /** Ids of all boxes in it, by name and then by line; never empty. */
  members: readonly string[];
  /** The chapter it is a part of. */
  parent: string | null;
  /** How many boxes are seen when it is open: of its own chapters, or its members. */
  size: number;
}

/** A story with no more boxes than this is drawn as a whole. */
const FEW = 60;
/** More boxes than this are parted into chapters of their own. */
const ROOM = 30;
/** So many chapters are side by side at most. */
const MOST_BESIDE = 32;
/** Fewer scenes than this are no chapter of their own. */
const LEAST = 3;

const NATURAL = new Intl.Collator('zh', { numeric: true });
/** `第二章`, a number, a word, or what stands between them. */
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
 * Sorts the boxes of a map into chapters by the names of their scenes, each before its own chapters. Returns none for a
 * short story. O(n log n).
 */
export function toChapters(nodes: readonly MapNode[]): Chapter[] {
  if (nodes.length <= FEW) return [];
  const whole = split(toScenes(nodes), 0, '');
  return nameGroups(gather(whole.parts, whole.key), null);
}

function toScenes(nodes: readonly MapNode[]): Scene[] {
  const scenes = [...Map.groupBy(nodes, ({ path }) => path)].map(([path, boxes]) => {
    const name = path.slice(SCENE_FOLDER.length).replace(/\.txt$/i, '');
    const tokens = name.toLowerCase().match(TOKEN) ?? [];
    return { name, tokens, boxes: boxes.toSorted((one, other) => one.line - other.line) };
  });
  return scenes.sort((one, other) => NATURAL.compare(one.name, other.name) || (one.name < other.name ? -1 : 1));
}

const countBoxes = (scenes: readonly Scene[]) => scenes.reduce((sum, { boxes }) => sum + boxes.length, 0);
const toGroup = (key: string, scenes: readonly Scene[], parts: readonly Group[] = []): Group => ({
  key,
  scenes,
  boxes: scenes.flatMap(({ boxes }) => boxes),
  parts,
});

/** By the next part of the name, until a group fits; what stands alone stays together. */
function split(scenes: readonly Scene[], start: number, prefix: string): Group {
  let [depth, key] = [start, prefix];
  if (countBoxes(scenes) <= ROOM) return toGroup(key, scenes);
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
      if (token === undefined || (part.length < LEAST && countBoxes(part) <= ROOM)) rest.push(...part);
      else groups.push(split(part, depth + 1, key + token + TOKEN_END));
    }
    if (rest.length > 0) groups.push(...cut(`${key}*`, rest));
    return toGroup(key, scenes, groups.length > 1 ? groups : (groups[0]?.parts ?? []));
  }
}

/** Scenes with nothing in common in pieces that fit, by name and line. */
function cut(key: string, scenes: readonly Scene[]): Group[] {
  const whole = toGroup(key, scenes);
  if (whole.boxes.length <= ROOM) return [whole];
  const sceneOf = new Map(scenes.flatMap((scene) => scene.boxes.map((box) => [box, scene])));
  return Array.from({ length: Math.ceil(whole.boxes.length / ROOM) }, (_, at) => {
    const boxes = whole.boxes.slice(at * ROOM, (at + 1) * ROOM);
    const own = new Set(boxes.map((box) => sceneOf.get(box) as Scene));
    return { key: `${key}#${at}`, scenes: [...own], boxes, parts: [] };
  });
}

/** So many side by side as can be seen: instead of a group with most of the boxes its parts, or neighbours together. */
function gather(groups: readonly Group[], key: string): Group[] {
  let beside = [...groups];
  const all = beside.reduce((sum, { boxes }) => sum + boxes.length, 0);
  for (;;) {
    const largest = beside.find(
      ({ boxes, parts }) =>
        boxes.length * 2 > all && parts.length > 0 && beside.length + parts.length - 1 <= MOST_BESIDE,
    );
    if (largest === undefined) break;
    beside = beside.flatMap((group) => (group === largest ? largest.parts : group));
  }
  beside = beside.map((group) => ({ ...group, parts: gather(group.parts, group.key) }));
  for (let level = 0; beside.length > MOST_BESIDE; level += 1) {
    const count = Math.ceil(beside.length / Math.ceil(beside.length / MOST_BESIDE));
    beside = Array.from({ length: Math.ceil(beside.length / count) }, (_, at) => {
      const parts = beside.slice(at * count, (at + 1) * count);
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
  return beside;
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
