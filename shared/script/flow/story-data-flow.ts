import { type ProjectIndex, START_PATH } from '../project-index/project-facts.ts';
import type { OpenNetwork } from './flow-network.ts';
import type { FigureMove, FlowStructure, StageChange } from './flow-structure.ts';
import { isDynamic } from './scene-flow.ts';
import type { Place } from './story-network.ts';

/** Limit of nodes plus edges, times rounds of 32 names: names above it are not analysed. */
const MAX_WORK = 3_000_000;

/** The graph of a story without its unreachable parts. */
export interface ReachedStory {
  places: ReadonlyMap<string, Place>;
  /** 1 for each reachable node. */
  reached: Uint8Array;
  open: OpenNetwork;
}

type FoundByScene<T> = Map<FlowStructure, Set<T>>;

export interface StageRules {
  changesOf(structure: FlowStructure): readonly StageChange[];
  movesOf?(structure: FlowStructure): readonly FigureMove[];
  /** True when a change removes all contents, not only those of its name. */
  clearsAll: boolean;
  /** Content at the start of the story. */
  first?: string;
}

/** Indexes of each scene's reads that have no value on any path, though the variable is assigned somewhere. */
export function findReadsBeforeSet(story: ReachedStory, index: ProjectIndex): FoundByScene<number> {
  const { places, reached, open } = story;
  const found: FoundByScene<number> = new Map();
  const kept = new Set<string>((index.config ?? []).map(({ key }) => key));
  for (const { structure } of places.values()) {
    if (structure.writesAnything) return found;
    for (const name of structure.globals) kept.add(name);
  }
  const reads = new Map<string, { node: number; structure: FlowStructure; at: number }[]>();
  for (const { start, structure } of places.values()) {
    for (const [at, { step, name }] of structure.reads.entries()) {
      const node = start + 1 + step;
      if (reached[node] === 0 || kept.has(name) || !index.hasVariable(name)) continue;
      const list = reads.get(name);
      if (list === undefined) reads.set(name, [{ node, structure, at }]);
      else list.push({ node, structure, at });
    }
  }
  const makers = new Map<string, number[]>();
  for (const { start, structure } of places.values()) {
    for (const { step, name } of structure.writes) {
      if (!reads.has(name)) continue;
      const list = makers.get(name);
      if (list === undefined) makers.set(name, [start + 1 + step]);
      else list.push(start + 1 + step);
    }
  }
  inRounds([...reads.keys()], open.size, (names) => {
    const make = new Int32Array(open.nodes);
    for (const [bit, name] of names.entries()) {
      for (const node of makers.get(name) ?? []) make[node] = (make[node] as number) | (1 << bit);
    }
    const arrives = open.flow(make, null);
    for (const [bit, name] of names.entries()) {
      for (const { node, structure, at } of reads.get(name) ?? []) {
        if (((arrives[node] as number) & (1 << bit)) === 0) addTo(found, structure, at);
      }
    }
  });
  return found;
}

/** What is on stage, by scene. */
export interface FollowedStage {
  /** Contents that can reach the start of the scene. */
  atStart: FoundByScene<string>;
  /** Indexes of the moves of figures that no path has on stage then. */
  missed: FoundByScene<number>;
}

export function followStage(story: ReachedStory, rules: StageRules): FollowedStage {
  const { places, open } = story;
  const found: FollowedStage = { atStart: new Map(), missed: new Map() };
  const names = new Set<string>(rules.first === undefined ? [] : [rules.first]);
  for (const { structure } of places.values()) {
    for (const { name, shows } of rules.changesOf(structure)) if (shows) names.add(name);
  }
  const moves = listMoves(story, rules, names);
  for (const { name, structure, at } of moves) if (!names.has(name)) addTo(found.missed, structure, at);
  inRounds([...names], open.size, (round) => {
    const make = new Int32Array(open.nodes);
    const kill = new Int32Array(open.nodes);
    const bits = new Map(round.map((name, bit) => [name, 1 << bit]));
    const root = places.get(START_PATH)?.start;
    if (rules.first !== undefined && root !== undefined) make[root] = bits.get(rules.first) ?? 0;
    for (const { start, structure } of places.values()) {
      for (const change of rules.changesOf(structure)) {
        const node = start + 1 + change.step;
        const own = bits.get(change.name) ?? 0;
        const cleared = !change.isSure ? 0 : rules.clearsAll ? -1 : own;
        kill[node] = (kill[node] as number) | cleared;
        make[node] = ((make[node] as number) & ~cleared) | (change.shows ? own : 0);
      }
    }
    const arrives = open.flow(make, kill);
    for (const { start, structure } of places.values()) {
      const here = (arrives[start] as number) | (start === root ? (make[start] as number) : 0);
      if (here !== 0) for (const [name, bit] of bits) if (here & bit) addTo(found.atStart, structure, name);
    }
    for (const { node, name, isGone, structure, at } of moves) {
      const bit = bits.get(name) ?? 0;
      if (bit !== 0 && (isGone || ((arrives[node] as number) & bit) === 0)) addTo(found.missed, structure, at);
    }
  });
  return found;
}

/** Moves in reachable steps, without those of a figure whose name is not certain. */
function listMoves({ places, reached }: ReachedStory, rules: StageRules, names: ReadonlySet<string>) {
  const found: { node: number; name: string; isGone: boolean; structure: FlowStructure; at: number }[] = [];
  if (rules.movesOf === undefined) return found;
  const hasOpenIds = [...names].some((name) => name.startsWith('id ') && isDynamic(name));
  for (const { start, structure } of places.values()) {
    for (const [at, { step, name, isGone }] of rules.movesOf(structure).entries()) {
      const node = start + 1 + step;
      const isId = name.startsWith('id ');
      // An id that no line gives has a finding of its own; one can be called like a place.
      const isUncertain = isId ? hasOpenIds || !names.has(name) : names.has(`id fig-${name}`);
      if (reached[node] !== 0 && !isUncertain) found.push({ node, name, isGone, structure, at });
    }
  }
  return found;
}

/** Analyses 32 names per round, as long as the work stays bounded. */
function inRounds(names: readonly string[], size: number, round: (names: readonly string[]) => void): void {
  const most = Math.max(1, Math.floor(MAX_WORK / size)) * 32;
  for (let at = 0; at < Math.min(names.length, most); at += 32) round(names.slice(at, at + 32));
}

function addTo<T>(found: Map<FlowStructure, Set<T>>, structure: FlowStructure, value: T): void {
  const known = found.get(structure);
  if (known === undefined) found.set(structure, new Set([value]));
  else known.add(value);
}
