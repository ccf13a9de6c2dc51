import { buildSceneFlow, type FlowBlock, type FlowExit, isDynamic } from '../../../shared/script/flow/scene-flow.ts';
import { toFilePath } from '../../../shared/script/project-index/file-names.ts';
import { type ProjectIndex, START_PATH } from '../../../shared/script/project-index/project-facts.ts';
import { LINE, type LineRecord } from '../../../shared/script/syntax/analyze-line.ts';

interface Step {
  path: string;
  block: FlowBlock;
  /** Indexes of the steps that can follow, whatever the conditions. */
  next: number[];
  /** Its lines that count for the coverage. */
  lines: readonly number[];
}

/** An option of a menu, as written. */
export interface WrittenOption {
  /** 0-based place in the menu as written. */
  option: number;
  text: string;
  condition: string | null;
  /** Steps that it leads to. */
  targets: readonly number[];
}

export interface Menu {
  path: string;
  /** 0-based. */
  line: number;
  options: readonly WrittenOption[];
}

/**
 * Where a story can go by its text alone: an upper bound of what can be played, whatever the variables. Only the engine decides
 * conditions; this decides what is worth trying.
 */
export interface StaticRoutes {
  menus: ReadonlyMap<string, Menu>;
  /** Lines that count for the coverage, by path, ascending and 0-based: without comments and labels. */
  lines: ReadonlyMap<string, readonly number[]>;
  endings: readonly { path: string; line: number }[];
  /** True if the text links the scene with the start. */
  isLinked(path: string): boolean;
  isLinkedLine(path: string, line: number): boolean;
  /** The steps from which a line can be reached that `isOpen` returns true for. */
  leadingTo(isOpen: (path: string, line: number) => boolean): ReadonlySet<number>;
  /** The steps that an exit with such a condition, or with a target that names such a variable, may lead to, and what follows them. */
  behind(isWanted: (text: string) => boolean): ReadonlySet<number>;
  /** The step that contains a line; null for none. */
  stepAt(path: string, line: number): number | null;
  /** True if a value can differ between two runs of the same choices. */
  isRandom: boolean;
}

export const menuKey = (path: string, line: number): string => `${path}:${line}`;

/** Lines whose statement the engine runs or shows. */
function isPlayable(record: LineRecord): boolean {
  return record.command !== null && record.command.name !== 'label' && (record.flags & LINE.continued) === 0;
}

/** Reads the routes of a story from its text. */
export function readStaticRoutes(index: ProjectIndex): StaticRoutes {
  const steps: Step[] = [];
  const firstOf = new Map<string, number>();
  const countOf = new Map<string, number>();
  const lines = new Map<string, number[]>();
  let isRandom = false;
  const endings: { path: string; line: number }[] = [];
  for (const { path, records } of index.scenes()) {
    const flow = buildSceneFlow(records, index.engineVersion);
    firstOf.set(path, steps.length);
    countOf.set(path, flow.length);
    const playable: number[] = [];
    for (const [line, record] of records.entries()) {
      if (!isPlayable(record)) continue;
      playable.push(line);
      if (record.command?.name === 'end') endings.push({ path, line });
      if (record.command?.name === 'setVar' && record.text.includes('random')) isRandom = true;
    }
    for (const block of flow) {
      const own = playable.filter((line) => line >= block.first && line <= block.last);
      steps.push({ path, block, next: [], lines: own });
    }
    lines.set(path, playable);
  }
  const menus = new Map<string, Menu>();
  const links = new Links(steps, firstOf, countOf);
  for (let at = 0; at < steps.length; at += 1) links.connect(at, menus);

  const starts = firstOf.get(START_PATH);
  const linked = new Set<number>();
  if (starts !== undefined && (countOf.get(START_PATH) ?? 0) > 0) visit(steps, [starts], linked);
  const stepAt = (path: string, line: number): number | null => {
    const first = firstOf.get(path);
    if (first === undefined) return null;
    for (let at = first; at < first + (countOf.get(path) ?? 0); at += 1) {
      const { block } = steps[at] as Step;
      if (line >= block.first && line <= block.last) return at;
    }
    return null;
  };
  const linkedPaths = new Set([...linked].map((at) => (steps[at] as Step).path));
  if (starts !== undefined) linkedPaths.add(START_PATH);
  return {
    menus,
    lines,
    endings,
    isRandom,
    stepAt,
    isLinked: (path) => linkedPaths.has(path),
    isLinkedLine: (path, line) => {
      const at = stepAt(path, line);
      return at !== null && linked.has(at);
    },
    leadingTo(isOpen) {
      const open: number[] = [];
      for (const at of linked) {
        const step = steps[at] as Step;
        if (step.lines.some((line) => isOpen(step.path, line))) open.push(at);
      }
      return visitBackwards(steps, open);
    },
    behind(isWanted) {
      const found = new Set<number>();
      for (const { block, next } of steps) {
        if (block.exits.some((exit) => deciders(exit).some(isWanted))) visit(steps, next, found);
      }
      return found;
    },
  };
}

/** Connects steps with those that can follow. */
class Links {
  readonly #steps: Step[];
  readonly #firstOf: ReadonlyMap<string, number>;
  readonly #countOf: ReadonlyMap<string, number>;

  constructor(steps: Step[], firstOf: ReadonlyMap<string, number>, countOf: ReadonlyMap<string, number>) {
    this.#steps = steps;
    this.#firstOf = firstOf;
    this.#countOf = countOf;
  }

  connect(at: number, menus: Map<string, Menu>): void {
    const step = this.#steps[at] as Step;
    const { path, block } = step;
    const following = this.#steps[at + 1]?.path === path ? [at + 1] : [];
    const options: WrittenOption[] = [];
    for (const exit of block.exits) {
      const targets = this.#targets(exit, path, following);
      step.next.push(...targets);
      if (exit.kind !== 'choose') continue;
      options.push({
        option: options.length,
        text: exit.text ?? '',
        condition: exit.condition ?? null,
        targets,
      });
      menus.set(menuKey(path, exit.line), { path, line: exit.line, options });
    }
  }

  #targets({ kind, scene, label }: FlowExit, path: string, following: readonly number[]): readonly number[] {
    if (kind === 'next') return following;
    if (kind === 'end' || kind === 'stop') return [];
    if (scene !== null) {
      const found = isDynamic(scene) ? [...this.#firstOf.keys()] : [toFilePath('scene', scene)];
      const firsts = found.flatMap((name) =>
        (this.#countOf.get(name) ?? 0) > 0 ? [this.#firstOf.get(name) ?? 0] : [],
      );
      // The engine continues where a scene is missing, and returns from a called one.
      return kind === 'call' || firsts.length === 0 ? [...firsts, ...following] : firsts;
    }
    const first = this.#firstOf.get(path) ?? 0;
    const found: number[] = [];
    for (let at = first; at < first + (this.#countOf.get(path) ?? 0); at += 1) {
      const own = this.#steps[at]?.block.label ?? null;
      if (own === null) continue;
      if (label !== null && isDynamic(label)) found.push(at);
      // The last of several labels counts.
      else if (own === label) found.splice(0, 1, at);
    }
    return found.length > 0 ? found : following;
  }
}

/** What decides whether an exit is taken, and to where. */
function deciders({ condition, label, scene }: FlowExit): string[] {
  const target = label ?? scene;
  return [...(condition === undefined ? [] : [condition]), ...(target !== null && isDynamic(target) ? [target] : [])];
}

function visit(steps: readonly Step[], from: readonly number[], seen: Set<number>): void {
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...(steps[at] as Step).next);
  }
}

function visitBackwards(steps: readonly Step[], to: readonly number[]): Set<number> {
  const before = steps.map((): number[] => []);
  for (const [at, { next }] of steps.entries()) for (const target of next) before[target]?.push(at);
  const seen = new Set<number>();
  const open = [...to];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...(before[at] ?? []));
  }
  return seen;
}
