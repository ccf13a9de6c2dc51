import { createMemo } from '../../memo.ts';
import type { ConfigEntry } from '../project-index/project-config.ts';
import { type ProjectIndex, START_PATH } from '../project-index/project-facts.ts';
import type { SceneLines } from '../syntax/scene-lines.ts';
import { type FlowNetwork, OpenNetwork } from './flow-network.ts';
import { ANY_SCENE, type FlowLink, type FlowStructure, isSameStructure, SILENCE } from './flow-structure.ts';
import { type FlowSummary, summarizeFlow } from './flow-summary.ts';
import { once, type Rebuilt, rebuilt } from './on-first-use.ts';
import { type FollowedStage, findReadsBeforeSet, followStage } from './story-data-flow.ts';
import { connectScenes, findSceneCycles, type Place, type StoryNetwork } from './story-network.ts';

const SUMMARIES = createMemo<SceneLines, { shape: number; summary: FlowSummary }>();
const STORIES = createMemo<ProjectIndex, { shapes: number; story: StoryFlow }>();

/** The flow summary of a scene, cached until a line changes that matters to it. */
export function flowOfScene(index: ProjectIndex, scene: SceneLines): FlowSummary {
  const known = SUMMARIES.get(scene);
  if (known !== undefined && known.shape === scene.shape) return known.summary;
  const fresh = summarizeFlow(scene.records, index.engineVersion);
  const before = known?.summary.structure;
  // Moved lines do not affect other scenes: reusing the structure keeps the analysis of the whole story valid.
  const isSame = before !== undefined && isSameStructure(before, fresh.structure);
  const summary = isSame ? { ...fresh, structure: before } : fresh;
  SUMMARIES.set(scene, { shape: scene.shape, summary });
  return summary;
}

/** The flow of the whole story, cached until the structure of a scene changes. */
export function flowOfStory(index: ProjectIndex): StoryFlow {
  const known = STORIES.get(index);
  const { shapes, config } = index;
  if (known?.shapes === shapes && known.story.config === config) return known.story;
  const story = known?.story.isFor(index) ? known.story : new StoryFlow(index);
  STORIES.set(index, { shapes, story });
  return story;
}

/** The story flow if it is cached or cheap to compute; null where computing it would delay a keystroke. */
export function storyAtHand(index: ProjectIndex): StoryFlow | null {
  const known = STORIES.get(index);
  const isStale = known !== undefined && (known.shapes !== index.shapes || known.story.config !== index.config);
  if (isStale && known.story.size > QUICK_SIZE && !known.story.isFor(index)) return null;
  return flowOfStory(index);
}

/** Nodes and edges that are analysed within a fraction of a frame. */
const QUICK_SIZE = 10_000;

/**
 * The story as one graph of steps. Linear in the scenes' structures. Each analysis runs when it is first needed, because most
 * scenes need few of them.
 */
export class StoryFlow {
  /** The config it was computed with: its keys are variables. */
  readonly config: readonly ConfigEntry[] | null;
  /** Number of nodes and edges. */
  readonly size: number;
  readonly #places = new Map<string, Place>();
  readonly #hasStart: boolean;
  readonly #reached: Uint8Array;
  readonly #network: Rebuilt<StoryNetwork>;
  readonly #open: Rebuilt<OpenNetwork>;
  /** 1 for nodes that are reached without a caller to return to. */
  readonly #plain: () => Uint8Array;
  readonly #endless: () => Uint8Array;
  readonly #unset: () => ReadonlyMap<FlowStructure, ReadonlySet<number>>;
  readonly #figures: () => FollowedStage;
  readonly #tracks: () => FollowedStage;
  readonly #cycles: () => ReturnType<typeof findSceneCycles>;
  readonly #isFinite: () => boolean;

  constructor(index: ProjectIndex) {
    this.config = index.config;
    let nodes = 0;
    for (const scene of index.scenes()) {
      const { structure } = flowOfScene(index, scene);
      const end = nodes + structure.steps + 1;
      this.#places.set(scene.path, { at: this.#places.size, start: nodes, end, structure });
      // One extra node after the end stands for a jump to any label.
      nodes = end + 2;
    }
    const places = this.#places;
    const anywhere = nodes;
    const root = places.get(START_PATH)?.start;
    const reachFromRoot = (network: FlowNetwork) =>
      root === undefined ? new Uint8Array(anywhere + 2) : network.reach(root);
    const all = rebuilt(() => connectScenes(places, anywhere, { withCalls: true }));
    const reached = reachFromRoot(all.get().network);
    this.#hasStart = root !== undefined;
    this.#reached = reached;
    this.size = all.get().network.size;
    this.#network = all;
    const open = rebuilt(() => all.get().network.open(reached));
    this.#open = open;
    this.#plain = once(() => {
      const plain = connectScenes(places, anywhere, { withCalls: false }).network;
      for (const { from, to, needs } of all.get().returns) if (reached[from] !== 0) plain.add(needs, to);
      return reachFromRoot(plain);
    });
    this.#endless = once(() => this.#findEndless(anywhere));
    this.#isFinite = once(() => this.#ends(anywhere));
    const story = () => ({ places, reached, open: open.get() });
    this.#unset = once(() => findReadsBeforeSet(story(), index));
    this.#figures = once(() =>
      followStage(story(), {
        changesOf: ({ figures }) => figures,
        movesOf: ({ moves }) => moves,
        clearsAll: false,
      }),
    );
    this.#tracks = once(() =>
      followStage(story(), { changesOf: ({ music }) => music, clearsAll: true, first: SILENCE }),
    );
    this.#cycles = once(() => findSceneCycles(places));
  }

  /** Frees the graphs, which need more memory than all results; an analysis that was not needed so far builds them again. */
  release(): void {
    this.#network.release();
    this.#open.release();
  }

  /** True when some path reaches an `end`, or a place where the story stops. */
  get isFinite(): boolean {
    return this.#isFinite();
  }

  /** True while nothing has changed that matters to the story. */
  isFor(index: ProjectIndex): boolean {
    if (index.config !== this.config) return false;
    let count = 0;
    for (const scene of index.scenes()) {
      const place = this.#places.get(scene.path);
      if (place?.at !== count || place.structure !== flowOfScene(index, scene).structure) return false;
      count += 1;
    }
    return count === this.#places.size;
  }

  /** True when a scene, or a step of it, is reachable from start.txt; always true without a start.txt. */
  isReached(path: string, step = -1): boolean {
    const place = this.#places.get(path);
    return !this.#hasStart || (place !== undefined && this.#reached[place.start + 1 + step] !== 0);
  }

  /**
   * True when the story can run past the end of a scene without a caller to return to; null for an unreachable scene.
   */
  stopsIn(path: string): boolean | null {
    const place = this.#places.get(path);
    if (place === undefined || this.#reached[place.start] === 0) return null;
    return this.#plain()[place.end] !== 0;
  }

  /** Steps in which the story loops endlessly without a pause. */
  endlessSteps(path: string): number[] {
    const place = this.#places.get(path);
    if (place === undefined || !this.#hasStart || alwaysPauses(place.structure)) return [];
    const endless = this.#endless();
    const found: number[] = [];
    for (let step = 0; step < place.structure.steps; step += 1) {
      if (endless[place.start + 1 + step] !== 0) found.push(step);
    }
    return found;
  }

  /** Indexes of a scene's reads that have no value on any path, though the variable is assigned somewhere. */
  readsBeforeSet(path: string): ReadonlySet<number> {
    const structure = this.#places.get(path)?.structure;
    if (structure === undefined || structure.reads.length === 0) return new Set();
    return this.#find(this.#unset, path);
  }

  /** Slots in which a figure may stand when the scene begins. */
  figuresAtStart(path: string): ReadonlySet<string> {
    return this.#find(() => this.#figures().atStart, path);
  }

  /** Indexes of a scene's animations of figures that are on stage then on no path. */
  missedMoves(path: string): ReadonlySet<number> {
    const structure = this.#places.get(path)?.structure;
    if (structure === undefined || structure.moves.length === 0) return new Set();
    return this.#find(() => this.#figures().missed, path);
  }

  /** Tracks that may be playing when the scene begins; `SILENCE` for none. */
  musicAtStart(path: string): ReadonlySet<string> {
    return this.#find(() => this.#tracks().atStart, path);
  }

  /** True when a call from one scene to the other can lead back to the first by calls alone. */
  isRecursive(from: string, to: string): boolean {
    const [one, other] = [this.#places.get(from), this.#places.get(to)];
    if (one === undefined || other === undefined) return false;
    const { selfCalls, byCalls } = this.#cycles();
    return one === other ? selfCalls.has(one.at) : byCalls[one.at] === byCalls[other.at];
  }

  /** True when the called scene can get back to the caller without returning. */
  staysOpen(from: string, to: string): boolean {
    const [one, other] = [this.#places.get(from), this.#places.get(to)];
    if (one === undefined || other === undefined) return false;
    const { byLinks } = this.#cycles();
    return byLinks[one.at] === byLinks[other.at];
  }

  #find<T>(find: () => ReadonlyMap<FlowStructure, ReadonlySet<T>>, path: string): ReadonlySet<T> {
    const place = this.#places.get(path);
    return (this.#hasStart && place && find().get(place.structure)) || new Set<T>();
  }

  /** 1 for nodes where the story waits, stops, or has unknown effects. */
  #goals(anywhere: number): Uint8Array {
    const plain = this.#plain();
    const goals = new Uint8Array(this.#open.get().nodes);
    goals[anywhere] = 1;
    for (const { start, end, structure } of this.#places.values()) {
      if (plain[end] !== 0) goals[end] = 1;
      for (let step = 0; step < structure.steps; step += 1) if (structure.waits[step]) goals[start + 1 + step] = 1;
      for (const link of structure.links) {
        const isLost = link.scene !== null && link.scene !== ANY_SCENE && !this.#places.has(link.scene);
        if (link.kind === 'end' || isLost) goals[start + 1 + link.from] = 1;
      }
    }
    return goals;
  }

  #ends(anywhere: number): boolean {
    if (!this.#hasStart || this.#reached[anywhere] !== 0) return true;
    for (const { start, end, structure } of this.#places.values()) {
      if (this.#plain()[end] !== 0) return true;
      if (structure.links.some(({ kind, from }) => kind === 'end' && this.#reached[start + 1 + from] !== 0))
        return true;
    }
    return false;
  }

  /** 1 for nodes of cycles from which no goal is reachable. */
  #findEndless(anywhere: number): Uint8Array {
    const open = this.#open.get();
    const leads = open.leadsTo(this.#goals(anywhere));
    const from: number[] = [];
    const to: number[] = [];
    for (let edge = 0; edge < open.from.length; edge += 1) {
      const node = open.from[edge] as number;
      const next = open.to[edge] as number;
      if (leads[node] !== 0 || leads[next] !== 0) continue;
      from.push(node);
      to.push(next);
    }
    const endless = new Uint8Array(open.nodes);
    if (from.length === 0) return endless;
    const cycles = new OpenNetwork(open.nodes, from, to).findCycles();
    for (const [edge, node] of from.entries()) {
      const next = to[edge] as number;
      if (cycles[node] !== cycles[next]) continue;
      endless[node] = 1;
      endless[next] = 1;
    }
    return endless;
  }
}

/** Passes over the links of a scene, from the last to the first: backward links are few. */
const MAX_PASSES = 3;

/** Returns true when each step of a scene leads to a pause or an end within it, so that it is on no endless cycle. */
function alwaysPauses({ steps, links, waits }: FlowStructure): boolean {
  const pauses = new Uint8Array(steps);
  let left = steps;
  const mark = (step: number): void => {
    if (pauses[step] !== 0) return;
    pauses[step] = 1;
    left -= 1;
  };
  for (let step = 0; step < steps; step += 1) if (waits[step]) mark(step);
  for (const { kind, from } of links) if (kind === 'end') mark(from);
  for (let pass = 0; pass < MAX_PASSES && left > 0; pass += 1) {
    for (let at = links.length - 1; at >= 0; at -= 1) {
      const { kind, from, to, scene } = links[at] as FlowLink;
      if (kind === 'go' && scene === null && to >= 0 && to < steps && pauses[to] !== 0) mark(from);
    }
  }
  return left === 0;
}
