import { unreachableRuns } from '../flow/flow-summary.ts';
import { leavesEitherWay } from '../flow/leaves-either-way.ts';
import { buildSceneFlow, type FlowBlock, type FlowExit, isDynamic, joinSteps } from '../flow/scene-flow.ts';
import { flowOfScene, flowOfStory, type StoryFlow } from '../flow/story-flow.ts';
import { toFilePath } from '../project-index/file-names.ts';
import { type ProjectIndex, START_PATH } from '../project-index/project-facts.ts';
import { type SceneSummary, summarizeScene } from './outline.ts';

/** A run of lines of a scene. Lines are 1-based. */
export interface StoryNode {
  id: string;
  path: string;
  /** The label it begins with; null at the start of a scene or after a jump. */
  label: string | null;
  line: number;
  endLine: number;
  isReachable: boolean;
  /** The game ends here with `end`. */
  isEnding: boolean;
  /** The story stops here without an ending. */
  isDeadEnd: boolean;
}

export interface StoryEdge {
  from: string;
  to: string;
  kind: 'next' | 'jump' | 'choose' | 'change' | 'call';
  line: number;
  text?: string;
  condition?: string;
}

/** An exit whose target does not exist; `text` is the option's label, `condition` the condition for taking it. */
export interface UnresolvedExit {
  from: string;
  line: number;
  target: string;
  text?: string;
  condition?: string;
}

export interface StoryGraph {
  nodes: readonly StoryNode[];
  edges: readonly StoryEdge[];
  /** Exits to a scene or label that does not exist. */
  broken: readonly UnresolvedExit[];
  scenes: readonly SceneSummary[];
  /** Lines and words per speaker in the whole story, sorted by words. */
  characters: readonly { name: string; lines: number; words: number }[];
  words: number;
}

/** Builds the graph of the whole story, for the story map and for the assistant. */
export function buildStoryGraph(index: ProjectIndex): StoryGraph {
  const build = new GraphBuild(index);
  return build.finish();
}

const idOf = (path: string, block: number) => `${path}#${block}`;

/** A dynamic name can match many targets; limits its edges. */
const MAX_DYNAMIC_TARGETS = 50;

/** The only block of a scene without a statement, such as one that was just made. */
const emptyBlock = (lines: number): FlowBlock => ({
  ...{ label: null, first: 0, last: Math.max(0, lines - 1) },
  exits: [{ line: 0, kind: 'stop', label: null, scene: null }],
});

class GraphBuild {
  readonly #index: ProjectIndex;
  readonly #story: StoryFlow;
  readonly #flows = new Map<string, readonly FlowBlock[]>();
  readonly #edges: StoryEdge[] = [];
  readonly #broken: UnresolvedExit[] = [];
  readonly #called = new Set<string>();

  constructor(index: ProjectIndex) {
    this.#index = index;
    this.#story = flowOfStory(index);
    const scenes = [...index.scenes()].sort((one, other) => (one.path < other.path ? -1 : 1));
    for (const scene of scenes) {
      const blocks = joinSteps(buildSceneFlow(scene.records, index.engineVersion));
      this.#flows.set(scene.path, blocks.length > 0 ? blocks : [emptyBlock(scene.records.length)]);
    }
  }

  finish(): StoryGraph {
    for (const [path, blocks] of this.#flows) this.#addEdges(path, blocks);
    const nodes: StoryNode[] = [];
    for (const [path, blocks] of this.#flows) for (const node of this.#toNodes(path, blocks)) nodes.push(node);
    const scenes = [...this.#flows.keys()]
      .map((path) => summarizeScene(this.#index, path))
      .filter((summary) => summary !== undefined);
    const words = scenes.reduce((sum, scene) => sum + scene.words, 0);
    return {
      nodes,
      edges: this.#edges,
      broken: this.#broken,
      scenes,
      characters: sumSpeakers(scenes),
      words,
    };
  }

  #addEdges(path: string, blocks: readonly FlowBlock[]): void {
    const byLabel = new Map<string, number>();
    for (const [index, block] of blocks.entries()) if (block.label !== null) byLabel.set(block.label, index);
    for (const [index, block] of blocks.entries()) {
      const from = idOf(path, index);
      const next = index + 1 < blocks.length ? idOf(path, index + 1) : null;
      for (const exit of block.exits) {
        const { kind } = exit;
        if (kind === 'end' || kind === 'stop') continue;
        const name = exit.scene ?? exit.label;
        const targets = name === null ? [] : this.#targets(exit, path, byLabel);
        const words = {
          ...(exit.text !== undefined && { text: exit.text }),
          ...(exit.condition !== undefined && { condition: exit.condition }),
        };
        if (name !== null && targets.length === 0) {
          this.#broken.push({ from, line: exit.line + 1, target: name, ...words });
        }
        // The engine continues with the next line when the target does not exist. A call continues there in any case.
        if (targets.length === 0 && next !== null && kind !== 'call') targets.push(next);
        for (const to of targets) {
          if (kind === 'call' && exit.scene !== null) this.#called.add(to.slice(0, -'#0'.length));
          this.#edges.push({ from, to, kind, line: exit.line + 1, ...words });
        }
      }
    }
  }

  /** The targets of an exit; empty when there is none. */
  #targets({ scene, label }: FlowExit, path: string, byLabel: ReadonlyMap<string, number>): string[] {
    if (scene !== null) {
      const paths = isDynamic(scene)
        ? findMatches(toFilePath('scene', scene), this.#flows.keys())
        : [toFilePath('scene', scene)];
      return paths.filter((to) => (this.#flows.get(to)?.length ?? 0) > 0).map((to) => idOf(to, 0));
    }
    const labels = label !== null && isDynamic(label) ? findMatches(label, byLabel.keys()) : [label ?? ''];
    return labels.flatMap((name) => byLabel.get(name) ?? []).map((block) => idOf(path, block));
  }

  *#toNodes(path: string, blocks: readonly FlowBlock[]): Generator<StoryNode> {
    const scene = this.#index.scene(path);
    const steps = scene === undefined ? [] : flowOfScene(this.#index, scene).blocks;
    const hasStart = this.#index.scene(START_PATH) !== undefined;
    const stops = this.#story.stopsIn(path) ?? false;
    const labels = new Set(blocks.map(({ label }) => label));
    const leaves = scene !== undefined && leavesEitherWay(scene.records, labels);
    let step = 0;
    for (const [index, block] of blocks.entries()) {
      while (step < steps.length && (steps[step]?.first ?? 0) < block.first) step += 1;
      const isReachable = hasStart && this.#story.isReached(path, steps.length > 0 ? step : -1);
      yield {
        id: idOf(path, index),
        path,
        label: block.label,
        line: block.first + 1,
        endLine: block.last + 1,
        isReachable,
        isEnding: block.exits.some((exit) => exit.kind === 'end'),
        // A called scene returns to its caller when it stops; whether it was called is known only where the story
        // reaches it.
        isDeadEnd:
          !leaves &&
          block.exits.some((exit) => exit.kind === 'stop') &&
          (isReachable ? stops : !this.#called.has(path)),
      };
    }
  }
}

/** Names that match a pattern such as `chapter{n}.txt`. Linear in the length of the names. */
function findMatches(pattern: string, names: Iterable<string>): string[] {
  const parts = pattern.split(/\{[^}]*\}?/);
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  const found: string[] = [];
  for (const name of names) {
    if (found.length >= MAX_DYNAMIC_TARGETS) break;
    if (!name.startsWith(first) || !name.endsWith(last)) continue;
    let at = first.length;
    for (const part of parts.slice(1, -1)) {
      const next = name.indexOf(part, at);
      at = next < 0 ? name.length + 1 : next + part.length;
    }
    if (at + last.length <= name.length) found.push(name);
  }
  return found;
}

function sumSpeakers(scenes: readonly SceneSummary[]): { name: string; lines: number; words: number }[] {
  const sums = new Map<string, { name: string; lines: number; words: number }>();
  for (const scene of scenes) {
    for (const speaker of scene.speakers) {
      const sum = sums.get(speaker.name) ?? { name: speaker.name, lines: 0, words: 0 };
      sum.lines += speaker.lines;
      sum.words += speaker.words;
      sums.set(speaker.name, sum);
    }
  }
  return [...sums.values()].sort((one, other) => other.words - one.words);
}

/** Runs of unreachable lines of a scene, as 1-based lines. */
export function unreachableLines(index: ProjectIndex, path: string): { first: number; last: number }[] {
  const scene = index.scene(path);
  return scene === undefined
    ? []
    : unreachableRuns(flowOfScene(index, scene)).map(({ first, last }) => ({ first: first + 1, last: last + 1 }));
}
