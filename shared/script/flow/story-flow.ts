import type { ConfigEntry } from '../project-config.ts';
import { type ProjectIndex, START_PATH } from '../project-facts.ts';
import type { SceneLines } from '../scene-lines.ts';
import { FlowNetwork, OpenNetwork } from './flow-network.ts';
import {
  ANY_LABEL,
  ANY_SCENE,
  type FlowLink,
  type FlowStructure,
  type FlowSummary,
  isSameStructure,
  PAST_END,
  SILENCE,
  type StageChange,
  summarizeFlow,
} from './flow-summary.ts';

/** Limit of nodes plus edges, times rounds of 32 names: names above it are not analysed. */
const MAX_WORK = 3_000_000;

const SUMMARIES = new WeakMap<SceneLines, { shape: number; summary: FlowSummary }>();
const STORIES = new WeakMap<ProjectIndex, { shapes: number; story: StoryFlow }>();

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

interface Place {
  /** Index among the scenes. */
  at: number;
  /** The node before the first step; step n is node `start + 1 + n`, and `end` follows the last. */
  start: number;
  end: number;
  structure: FlowStructure;
}

/** The story as one graph of steps, and the results of its analysis. Linear in the scenes' structures. */
export class StoryFlow {
  /** The config it was computed with: its keys are variables. */
  readonly config: readonly ConfigEntry[] | null;
  readonly #places = new Map<string, Place>();
  readonly #reached: Uint8Array;
  readonly #plain: Uint8Array;
  readonly #open: OpenNetwork;
  readonly #hasStart: boolean;
  #endless = new Uint8Array(0);
  readonly #unset = new Map<FlowStructure, Set<number>>();
  readonly #figures = new Map<FlowStructure, Set<string>>();
  readonly #tracks = new Map<FlowStructure, Set<string>>();
  readonly #callCircle: Int32Array;
  readonly #wayCircle: Int32Array;
  readonly #selfCalls = new Set<number>();
  /** True when some path reaches an `end`, or a place where the story stops. */
  readonly isFinite: boolean;

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
    const anywhere = nodes;
    const whole = new FlowNetwork(nodes + 2);
    const plain = new FlowNetwork(nodes + 2);
    const returns: { from: number; to: number; needs: number }[] = [];
    this.#connect({ whole, plain, returns, anywhere });
    const root = this.#places.get(START_PATH)?.start;
    this.#hasStart = root !== undefined;
    this.#reached = root === undefined ? new Uint8Array(nodes + 2) : whole.reach(root);
    for (const { from, to, needs } of returns) if (this.#reached[from] !== 0) plain.add(needs, to);
    this.#plain = root === undefined ? new Uint8Array(nodes + 2) : plain.reach(root);
    this.#open = whole.open(this.#reached);
    const goals = this.#goals(anywhere);
    this.isFinite = this.#ends(anywhere);
    if (this.#hasStart) {
      this.#findEndless(goals);
      this.#findUnset(index);
      this.#findStage();
    }
    [this.#callCircle, this.#wayCircle] = this.#findCircles();
  }

  /** Number of reachable nodes and edges. */
  get size(): number {
    return this.#open.size;
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
    return this.#plain[place.end] !== 0;
  }

  /** Steps in which the story loops endlessly without a pause. */
  spinningSteps(path: string): number[] {
    const place = this.#places.get(path);
    if (place === undefined || this.#endless.length === 0) return [];
    const found: number[] = [];
    for (let step = 0; step < place.structure.steps; step += 1) {
      if (this.#endless[place.start + 1 + step] !== 0) found.push(step);
    }
    return found;
  }

  /** Indexes of a scene's reads that have no value on any path, though the variable is assigned somewhere. */
  readsBeforeSet(path: string): ReadonlySet<number> {
    return this.#find(this.#unset, path);
  }

  /** Slots in which a figure may stand when the scene begins. */
  figuresAtStart(path: string): ReadonlySet<string> {
    return this.#find(this.#figures, path);
  }

  /** Tracks that may be playing when the scene begins; `SILENCE` for none. */
  musicAtStart(path: string): ReadonlySet<string> {
    return this.#find(this.#tracks, path);
  }

  /** True when a call from one scene to the other can lead back to the first by calls alone. */
  isRecursive(from: string, to: string): boolean {
    const [one, other] = [this.#places.get(from), this.#places.get(to)];
    if (one === undefined || other === undefined) return false;
    if (one === other) return this.#selfCalls.has(one.at);
    return this.#callCircle[one.at] === this.#callCircle[other.at];
  }

  /** True when the called scene can get back to the caller without returning. */
  staysOpen(from: string, to: string): boolean {
    const [one, other] = [this.#places.get(from), this.#places.get(to)];
    return one !== undefined && other !== undefined && this.#wayCircle[one.at] === this.#wayCircle[other.at];
  }

  #find<T>(found: ReadonlyMap<FlowStructure, Set<T>>, path: string): ReadonlySet<T> {
    const place = this.#places.get(path);
    return (place && found.get(place.structure)) ?? new Set<T>();
  }

  #connect(networks: {
    whole: FlowNetwork;
    plain: FlowNetwork;
    returns: { from: number; to: number; needs: number }[];
    anywhere: number;
  }): void {
    const { whole, plain, returns, anywhere } = networks;
    const both = (from: number, to: number) => {
      whole.add(from, to);
      plain.add(from, to);
    };
    let leadsAnywhere = false;
    for (const { start, end, structure } of this.#places.values()) {
      both(start, structure.steps === 0 ? end : start + 1);
      let leadsToLabels = false;
      for (const link of structure.links) {
        if (link.kind === 'end') continue;
        const node = start + 1 + link.from;
        const next = link.to === PAST_END ? end : link.to === ANY_LABEL ? end + 1 : start + 1 + link.to;
        leadsToLabels ||= link.to === ANY_LABEL;
        const target = this.#target(link, anywhere);
        // Missing scene: the engine logs an error and continues.
        if (target === null) both(node, next);
        else if (link.kind === 'change') {
          both(node, target.start);
          // The caller of this scene continues when the next one ends.
          whole.add(target.end, end, node);
        } else {
          whole.add(node, target.start);
          whole.add(target.end, next, node);
          returns.push({ from: target.end, to: next, needs: node });
        }
        leadsAnywhere ||= target?.start === anywhere;
      }
      if (leadsToLabels) for (const label of structure.labels) both(end + 1, start + 1 + label);
    }
    if (!leadsAnywhere) return;
    for (const { start, end } of this.#places.values()) {
      both(anywhere, start);
      whole.add(end, anywhere + 1);
    }
  }

  #target(link: FlowLink, anywhere: number): { start: number; end: number } | null {
    if (link.scene === ANY_SCENE) return { start: anywhere, end: anywhere + 1 };
    return (link.scene !== null && this.#places.get(link.scene)) || null;
  }

  /** 1 for nodes where the story waits, stops, or has unknown effects. */
  #goals(anywhere: number): Uint8Array {
    const goals = new Uint8Array(this.#open.nodes);
    goals[anywhere] = 1;
    for (const { start, end, structure } of this.#places.values()) {
      if (this.#plain[end] !== 0) goals[end] = 1;
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
      if (this.#plain[end] !== 0) return true;
      if (structure.links.some(({ kind, from }) => kind === 'end' && this.#reached[start + 1 + from] !== 0))
        return true;
    }
    return false;
  }

  /** Cycles among nodes from which no goal is reachable. */
  #findEndless(goals: Uint8Array): void {
    const leads = this.#open.leadsTo(goals);
    const from: number[] = [];
    const to: number[] = [];
    for (const [way, node] of this.#open.from.entries()) {
      const next = this.#open.to[way] as number;
      if (leads[node] !== 0 || leads[next] !== 0) continue;
      from.push(node);
      to.push(next);
    }
    if (from.length === 0) return;
    const circles = new OpenNetwork(this.#open.nodes, from, to).circles();
    this.#endless = new Uint8Array(this.#open.nodes);
    for (const [way, node] of from.entries()) {
      const next = to[way] as number;
      if (circles[node] !== circles[next]) continue;
      this.#endless[node] = 1;
      this.#endless[next] = 1;
    }
  }

  #findUnset(index: ProjectIndex): void {
    const kept = new Set<string>((this.config ?? []).map(({ key }) => key));
    for (const { structure } of this.#places.values()) {
      if (structure.writesAnything) return;
      for (const name of structure.globals) kept.add(name);
    }
    const reads = new Map<string, { node: number; structure: FlowStructure; at: number }[]>();
    for (const { start, structure } of this.#places.values()) {
      for (const [at, { step, name }] of structure.reads.entries()) {
        const node = start + 1 + step;
        if (this.#reached[node] === 0 || kept.has(name) || !index.hasVariable(name)) continue;
        const list = reads.get(name);
        if (list === undefined) reads.set(name, [{ node, structure, at }]);
        else list.push({ node, structure, at });
      }
    }
    const makers = new Map<string, number[]>();
    for (const { start, structure } of this.#places.values()) {
      for (const { step, name } of structure.writes) {
        if (!reads.has(name)) continue;
        const list = makers.get(name);
        if (list === undefined) makers.set(name, [start + 1 + step]);
        else list.push(start + 1 + step);
      }
    }
    this.#inRounds([...reads.keys()], (names) => {
      const make = new Int32Array(this.#open.nodes);
      for (const [bit, name] of names.entries()) {
        for (const node of makers.get(name) ?? []) make[node] = (make[node] as number) | (1 << bit);
      }
      const arrives = this.#open.flow(make, null);
      for (const [bit, name] of names.entries()) {
        for (const { node, structure, at } of reads.get(name) ?? []) {
          if (((arrives[node] as number) & (1 << bit)) === 0) addTo(this.#unset, structure, at);
        }
      }
    });
  }

  #findStage(): void {
    this.#follow({
      changesOf: ({ figures }) => figures,
      clearsAll: false,
      keep: (structure, name) => addTo(this.#figures, structure, name),
    });
    this.#follow({
      changesOf: ({ music }) => music,
      clearsAll: true,
      keep: (structure, name) => addTo(this.#tracks, structure, name),
      first: SILENCE,
    });
  }

  /**
   * Stage contents that reach the start of each scene. `clearsAll`: a change removes all contents, not only those of
   * its name.
   */
  #follow(rules: {
    changesOf(structure: FlowStructure): readonly StageChange[];
    clearsAll: boolean;
    keep(structure: FlowStructure, name: string): void;
    first?: string;
  }): void {
    const names = new Set<string>(rules.first === undefined ? [] : [rules.first]);
    for (const { structure } of this.#places.values()) {
      for (const { name, shows } of rules.changesOf(structure)) if (shows) names.add(name);
    }
    this.#inRounds([...names], (round) => {
      const make = new Int32Array(this.#open.nodes);
      const kill = new Int32Array(this.#open.nodes);
      const bits = new Map(round.map((name, bit) => [name, 1 << bit]));
      const root = this.#places.get(START_PATH)?.start;
      if (rules.first !== undefined && root !== undefined) make[root] = bits.get(rules.first) ?? 0;
      for (const { start, structure } of this.#places.values()) {
        for (const change of rules.changesOf(structure)) {
          const node = start + 1 + change.step;
          const own = bits.get(change.name) ?? 0;
          const cleared = !change.isSure ? 0 : rules.clearsAll ? -1 : own;
          kill[node] = (kill[node] as number) | cleared;
          make[node] = ((make[node] as number) & ~cleared) | (change.shows ? own : 0);
        }
      }
      const arrives = this.#open.flow(make, kill);
      for (const { start, structure } of this.#places.values()) {
        const here = (arrives[start] as number) | (start === root ? (make[start] as number) : 0);
        if (here === 0) continue;
        for (const [name, bit] of bits) if (here & bit) rules.keep(structure, name);
      }
    });
  }

  /** Analyses 32 names per round, as long as the work stays bounded. */
  #inRounds(names: readonly string[], round: (names: readonly string[]) => void): void {
    const most = Math.max(1, Math.floor(MAX_WORK / this.#open.size)) * 32;
    for (let at = 0; at < Math.min(names.length, most); at += 32) round(names.slice(at, at + 32));
  }

  #findCircles(): [calls: Int32Array, ways: Int32Array] {
    const calls: { from: number[]; to: number[] } = { from: [], to: [] };
    const ways: { from: number[]; to: number[] } = { from: [], to: [] };
    for (const { at, structure } of this.#places.values()) {
      for (const { kind, from, scene } of structure.links) {
        const to = scene === null ? undefined : this.#places.get(scene)?.at;
        if (to === undefined || structure.reached[from] === 0) continue;
        ways.from.push(at);
        ways.to.push(to);
        if (kind !== 'call') continue;
        calls.from.push(at);
        calls.to.push(to);
        if (at === to) this.#selfCalls.add(at);
      }
    }
    const count = this.#places.size;
    return [
      new OpenNetwork(count, calls.from, calls.to).circles(),
      new OpenNetwork(count, ways.from, ways.to).circles(),
    ];
  }
}

function addTo<T>(found: Map<FlowStructure, Set<T>>, structure: FlowStructure, value: T): void {
  const known = found.get(structure);
  if (known === undefined) found.set(structure, new Set([value]));
  else known.add(value);
}
