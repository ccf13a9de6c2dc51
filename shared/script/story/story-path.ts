import { scanChoices } from '../syntax/choices.ts';
import type { Statement } from '../syntax/scan.ts';

/** Limits the search: a scene with more branches is used as it is written. */
const MAX_RUNS = 2000;
/** Cost of a backward jump, higher than all other costs of a path. */
const BACKWARD_COST = 1000;

/** What the variables have to be like for the story to take a way. */
export interface Need {
  /** As written; several conditions of one statement are joined. */
  condition: string;
  /** False where the way is taken because the condition is not met. */
  holds: boolean;
}

interface Edge {
  to: number;
  cost: number;
  /** The place of the option in the menu; absent for a way without a choice. */
  option?: number;
  need?: Need;
}

/** By the statement (0-based) of a menu, the place of the option (0-based) that the path takes. */
export type Picks = ReadonlyMap<number, number>;

/** A menu on the path from which more than one way leads to the target. */
export interface Fork {
  /** Its statement, 0-based. */
  at: number;
  /** The options that lead there, by their place in the menu, with the text of their buttons. */
  options: { place: number; text: string }[];
  /** The place of the option that the path takes. */
  taken: number;
}

export interface StoryPath {
  /** For every line, whether it lies on the path. */
  isOnPath: boolean[];
  forks: Fork[];
  /** What the path needs, by the statement (0-based) that decides it. */
  needs: Map<number, Need>;
}

/**
 * A path by which the player can get from the scene's first line to the statement at `target` (0-based). Takes the options in
 * `picks` where they lead there; elsewhere prefers continuing to a jump that may not happen, the first option of a choice to
 * the others, and anything to a backward jump. Null when there is no path, `too-long` for a scene with more than `MAX_RUNS` runs.
 */
export function findStoryPath(
  statements: readonly Statement[],
  target: number,
  picks: Picks = new Map(),
): StoryPath | 'too-long' | null {
  const graph = toGraph(statements);
  if (graph === 'too-long') return graph;
  const { runs, lastOf, edgesOf } = graph;
  const goal = runs.findLastIndex((start) => start <= target);
  const waysOf = (run: number) => edgesOf(run).filter(({ to }) => reaches(edgesOf, { from: to, goal, without: run }));
  const edgesFrom = (run: number) => {
    const pick = picks.get(lastOf(run));
    const picked = pick === undefined ? undefined : waysOf(run).find(({ option }) => option === pick);
    return picked ? [picked] : edgesOf(run);
  };
  const way =
    findCheapest(edgesFrom, { runs: runs.length, goal }) ?? findCheapest(edgesOf, { runs: runs.length, goal });
  if (!way) return null;
  const isOnPath = new Array<boolean>(statements.length).fill(false);
  for (const { run } of way) isOnPath.fill(true, runs[run], lastOf(run) + 1);
  const needs = new Map<number, Need>();
  way.forEach(({ run }, index) => {
    const need = way[index + 1]?.edge?.need;
    if (need) needs.set(lastOf(run), need);
  });
  const forks = way.flatMap(({ run }, index): Fork[] => {
    const taken = way[index + 1]?.edge?.option;
    if (taken === undefined) return [];
    const ways = waysOf(run).filter(({ option }) => option !== undefined);
    if (new Set(ways.map(({ to }) => to)).size < 2) return [];
    const at = lastOf(run);
    return [{ at, options: toOptions(statements[at], ways), taken }];
  });
  return { isOnPath, forks, needs };
}

/**
 * Returns whether the story can get from the scene's first line to each statement; true for all of a scene with more than
 * `MAX_RUNS` runs.
 */
export function findReached(statements: readonly Statement[]): boolean[] {
  const graph = toGraph(statements);
  const isReached = new Array<boolean>(statements.length).fill(graph === 'too-long');
  if (graph === 'too-long') return isReached;
  const { runs, lastOf, edgesOf } = graph;
  const seen = new Set([0]);
  for (const run of seen) {
    isReached.fill(true, runs[run], lastOf(run) + 1);
    for (const { to } of edgesOf(run)) seen.add(to);
  }
  return isReached;
}

/** Runs of a scene, and where the story can go from each. */
interface RunGraph {
  /** The statement at which each begins. */
  runs: readonly number[];
  lastOf(run: number): number;
  edgesOf(run: number): Edge[];
}

function toGraph(statements: readonly Statement[]): RunGraph | 'too-long' {
  const runs = toRuns(statements);
  if (runs.length > MAX_RUNS) return 'too-long';
  const labels = new Map<string, number>();
  // The engine uses the last of several labels with the same name.
  runs.forEach((start, run) => {
    const statement = statements[start];
    if (statement?.command?.name === 'label') labels.set(statement.content, run);
  });
  const lastOf = (run: number) => (runs[run + 1] ?? statements.length) - 1;
  const edges = runs.map((_, run) => {
    const last = statements[lastOf(run)];
    return last ? toEdges(last, run, labels).filter((edge) => edge.to < runs.length) : [];
  });
  return { runs, lastOf, edgesOf: (run) => edges[run] ?? [] };
}

function toOptions(menu: Statement | undefined, ways: readonly Edge[]): Fork['options'] {
  const choices = menu ? scanChoices(menu.content, 0, menu.content.length) : [];
  return ways.flatMap(({ option }) => {
    const choice = option === undefined ? undefined : choices[option];
    return choice && option !== undefined ? [{ place: option, text: toButtonText(choice.label) }] : [];
  });
}

/** Returns the text of an option as the engine shows it. */
export function toButtonText(label: string): string {
  return label.replace(/\\([|:,;.\\])/g, '$1').trim();
}

/** Returns whether the story can get from one run to another without a third. */
function reaches(
  edgesOf: (run: number) => readonly Edge[],
  { from, goal, without }: { from: number; goal: number; without: number },
): boolean {
  const seen = new Set([without, from]);
  const open = [from];
  if (from === without) return false;
  for (let run = open.pop(); run !== undefined; run = open.pop()) {
    if (run === goal) return true;
    for (const { to } of edgesOf(run)) {
      if (seen.has(to)) continue;
      seen.add(to);
      open.push(to);
    }
  }
  return false;
}

/** Lines at which a run begins: consecutive lines that are executed all or not at all. */
function toRuns(statements: readonly Statement[]): number[] {
  const starts = [0];
  statements.forEach((statement, line) => {
    const name = statement.command?.name;
    if (name === 'label' && starts.at(-1) !== line) starts.push(line);
    if (isBranching(name) && line + 1 < statements.length) starts.push(line + 1);
  });
  return starts;
}

function isBranching(name: string | undefined): boolean {
  return name === 'jumpLabel' || name === 'choose' || name === 'changeScene' || name === 'end';
}

/** Where the story can continue after a run's last statement. */
function toEdges(last: Statement, run: number, labels: ReadonlyMap<string, number>): Edge[] {
  const onward: Edge = { to: run + 1, cost: 0 };
  const name = last.command?.name;
  if (!isBranching(name)) return [onward];
  const when = last.argument('when')?.raw;
  const edges: Edge[] = last.argument('when')
    ? [{ ...onward, ...(when && { need: { condition: when, holds: false } }) }]
    : [];
  const jump = (label: string, cost: number, option?: number): void => {
    // Missing label: the engine continues with the next line.
    const to = labels.get(label) ?? run + 1;
    const need = findNeed(last, option);
    edges.push({
      to,
      cost: cost + (to <= run ? BACKWARD_COST : 0),
      ...(option !== undefined && { option }),
      ...(need && { need }),
    });
  };
  if (name === 'jumpLabel') {
    // A name that contains a variable can be any label.
    if (last.content.includes('{')) for (const label of labels.keys()) jump(label, 3);
    else jump(last.content, last.argument('when') ? 2 : 0);
  }
  if (name === 'choose') {
    scanChoices(last.content, 0, last.content.length).forEach((choice, index) => {
      if (!choice.isScene) jump(choice.target, 1 + index / 100, index);
    });
    if (last.isNext) edges.push({ to: run + 1, cost: 1 });
  }
  return edges;
}

/**
 * Returns what a statement needs to be carried out, and its option (the place in the menu) to be shown and enabled. Null for
 * nothing.
 */
export function findNeed(statement: Statement, option?: number): Need | null {
  const choice = option === undefined ? undefined : scanChoices(statement.content, 0, statement.content.length)[option];
  const conditions = [statement.argument('when')?.raw, choice?.show?.text, choice?.enable?.text].filter(
    (text) => text != null,
  );
  const [first] = conditions;
  if (first === undefined) return null;
  return { condition: conditions.length === 1 ? first : conditions.map((each) => `(${each})`).join('&&'), holds: true };
}

/** Returns the runs of the cheapest way, each with the edge by which it is reached. */
function findCheapest(
  edgesFrom: (run: number) => Edge[],
  { runs, goal }: { runs: number; goal: number },
): { run: number; edge: Edge | undefined }[] | null {
  const cost = new Array<number>(runs).fill(Number.POSITIVE_INFINITY);
  const from = new Array<{ run: number; edge: Edge } | null>(runs).fill(null);
  const open = new Set([0]);
  cost[0] = 0;
  while (open.size > 0) {
    let here = -1;
    for (const run of open) if (here < 0 || (cost[run] as number) < (cost[here] as number)) here = run;
    open.delete(here);
    if (here === goal) break;
    for (const edge of edgesFrom(here)) {
      const total = (cost[here] as number) + edge.cost;
      if (total >= (cost[edge.to] as number)) continue;
      cost[edge.to] = total;
      from[edge.to] = { run: here, edge };
      open.add(edge.to);
    }
  }
  if (cost[goal] === Number.POSITIVE_INFINITY) return null;
  const way: { run: number; edge: Edge | undefined }[] = [];
  for (let run = goal; run >= 0; run = from[run]?.run ?? -1) way.unshift({ run, edge: from[run]?.edge });
  return way;
}
