import { toFilePath } from './file-names.ts';
import { buildSceneFlow, type FlowBlock, reachableBlocks } from './flow.ts';
import { type SceneSummary, summarizeScene, toReadingMinutes } from './outline.ts';
import { type ProjectIndex, SCENE_FOLDER, START_PATH } from './project-facts.ts';

/** A stretch of story. Lines are 1-based. */
export interface StoryNode {
  id: string;
  path: string;
  /** The label it begins with; null at the start of a scene or behind a jump. */
  label: string | null;
  line: number;
  endLine: number;
  isReachable: boolean;
  /** The game ends here on purpose. */
  isEnding: boolean;
  /** The story stops here and nothing follows. */
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

export interface StoryGraph {
  nodes: readonly StoryNode[];
  edges: readonly StoryEdge[];
  /** Ways that lead to a scene or label that is not there. */
  broken: readonly { from: string; line: number; target: string }[];
  scenes: readonly SceneSummary[];
  /** Who says how much in the whole story, the most talkative first. */
  characters: readonly { name: string; lines: number; words: number }[];
  words: number;
  /** Minutes it takes to read everything once; see `toReadingMinutes`. */
  readingMinutes: number;
}

/** The whole story as a graph: for the story map, and for the assistant to see where a scene leads. */
export function buildStoryGraph(index: ProjectIndex): StoryGraph {
  const build = new GraphBuild(index);
  return build.finish();
}

const idOf = (path: string, block: number) => `${path}#${block}`;

class GraphBuild {
  readonly #index: ProjectIndex;
  readonly #flows = new Map<string, readonly FlowBlock[]>();
  readonly #edges: StoryEdge[] = [];
  readonly #broken: { from: string; line: number; target: string }[] = [];
  readonly #called = new Set<string>();

  constructor(index: ProjectIndex) {
    this.#index = index;
    const scenes = [...index.scenes()].sort((one, other) => (one.path < other.path ? -1 : 1));
    for (const scene of scenes) this.#flows.set(scene.path, buildSceneFlow(scene.records));
  }

  finish(): StoryGraph {
    for (const [path, blocks] of this.#flows) this.#addEdges(path, blocks);
    const reached = this.#reach();
    const nodes: StoryNode[] = [];
    for (const [path, blocks] of this.#flows) {
      for (const [index, block] of blocks.entries()) nodes.push(this.#toNode({ path, index, block }, reached));
    }
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
      readingMinutes: toReadingMinutes(words),
    };
  }

  #addEdges(path: string, blocks: readonly FlowBlock[]): void {
    const byLabel = new Map<string, number>();
    for (const [index, block] of blocks.entries()) if (block.label !== null) byLabel.set(block.label, index);
    for (const [index, block] of blocks.entries()) {
      const from = idOf(path, index);
      for (const exit of block.exits) {
        const more = {
          line: exit.line + 1,
          ...(exit.text !== undefined && { text: exit.text }),
          ...(exit.condition !== undefined && { condition: exit.condition }),
        };
        if (exit.kind === 'end' || exit.kind === 'stop') continue;
        const to =
          exit.scene !== null
            ? this.#sceneStart(exit.scene)
            : exit.label !== null
              ? byLabel.get(exit.label)
              : index + 1;
        const target = typeof to === 'number' ? (to < blocks.length ? idOf(path, to) : null) : to;
        if (target === undefined || target === null) {
          const name = exit.scene ?? exit.label;
          if (name !== null) this.#broken.push({ from, line: exit.line + 1, target: name });
          continue;
        }
        if (exit.kind === 'call' && exit.scene !== null) this.#called.add(toFilePath('scene', exit.scene));
        this.#edges.push({ from, to: target, kind: exit.kind, ...more });
      }
    }
  }

  #sceneStart(name: string): string | null {
    const path = toFilePath('scene', name);
    return (this.#flows.get(path)?.length ?? 0) > 0 ? idOf(path, 0) : null;
  }

  #reach(): Set<string> {
    const ways = new Map<string, string[]>();
    for (const edge of this.#edges) {
      const list = ways.get(edge.from);
      if (list === undefined) ways.set(edge.from, [edge.to]);
      else list.push(edge.to);
    }
    const reached = new Set<string>();
    const waiting = [idOf(START_PATH, 0)];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (reached.has(id)) continue;
      reached.add(id);
      waiting.push(...(ways.get(id) ?? []));
    }
    return reached;
  }

  #toNode(place: { path: string; index: number; block: FlowBlock }, reached: ReadonlySet<string>): StoryNode {
    const { path, index, block } = place;
    const id = idOf(path, index);
    return {
      id,
      path,
      label: block.label,
      line: block.first + 1,
      endLine: block.last + 1,
      isReachable: reached.has(id),
      isEnding: block.exits.some((exit) => exit.kind === 'end'),
      // A scene that is called goes back to its caller when it stops.
      isDeadEnd: block.exits.some((exit) => exit.kind === 'stop') && !this.#called.has(path),
    };
  }
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

/** Lines of a scene that nothing leads to, as ranges of 1-based lines. */
export function unreachableLines(index: ProjectIndex, path: string): { first: number; last: number }[] {
  const scene = path.startsWith(SCENE_FOLDER) ? index.scene(path) : undefined;
  if (scene === undefined) return [];
  const blocks = buildSceneFlow(scene.records);
  const reached = reachableBlocks(blocks);
  return blocks
    .map((block, at) => ({ first: block.first + 1, last: block.last + 1, at }))
    .filter((range) => !reached.has(range.at))
    .map(({ first, last }) => ({ first, last }));
}
