import { scanChoices } from '../syntax/choices.ts';
import type { Statement } from '../syntax/scan.ts';

/** Limits the search: a scene with more branches is used as it is written. */
const MAX_RUNS = 2000;
/** Cost of a backward jump, higher than all other costs of a path. */
const BACKWARD_COST = 1000;

interface Edge {
  to: number;
  cost: number;
}

/**
 * A path by which the player can get from the scene's first line to the statement at `target` (0-based): for every
 * line, whether it lies on the path. Prefers continuing to a jump that may not happen, the first option of a choice to
 * the others, and anything to a backward jump. Null when there is no path, or the scene has more than `MAX_RUNS` runs.
 */
export function findStoryPath(statements: readonly Statement[], target: number): boolean[] | null {
  const runs = toRuns(statements);
  if (runs.length > MAX_RUNS) return null;
  const runOf = (line: number) => runs.findLastIndex((start) => start <= line);
  const labels = new Map<string, number>();
  // The engine uses the last of several labels with the same name.
  runs.forEach((start, run) => {
    const statement = statements[start];
    if (statement?.command?.name === 'label') labels.set(statement.content, run);
  });
  const lastOf = (run: number) => (runs[run + 1] ?? statements.length) - 1;
  const edgesFrom = (run: number) => {
    const last = statements[lastOf(run)];
    return last ? toEdges(last, run, labels).filter((edge) => edge.to < runs.length) : [];
  };
  const way = findCheapest(edgesFrom, { runs: runs.length, goal: runOf(target) });
  if (!way) return null;
  const isOnPath = new Array<boolean>(statements.length).fill(false);
  for (const run of way) isOnPath.fill(true, runs[run], lastOf(run) + 1);
  return isOnPath;
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
  const edges: Edge[] = last.argument('when') ? [onward] : [];
  const jump = (label: string, cost: number): void => {
    const to = labels.get(label);
    // Missing label: the engine continues with the next line.
    if (to === undefined) edges.push({ to: run + 1, cost });
    else edges.push({ to, cost: cost + (to <= run ? BACKWARD_COST : 0) });
  };
  if (name === 'jumpLabel') {
    // A name that contains a variable can be any label.
    if (last.content.includes('{')) for (const label of labels.keys()) jump(label, 3);
    else jump(last.content, last.argument('when') ? 2 : 0);
  }
  if (name === 'choose') {
    scanChoices(last.content, 0, last.content.length).forEach((choice, index) => {
      if (!choice.isScene) jump(choice.target, 1 + index / 100);
    });
    if (last.isNext) edges.push({ to: run + 1, cost: 1 });
  }
  return edges;
}

function findCheapest(
  edgesFrom: (run: number) => Edge[],
  { runs, goal }: { runs: number; goal: number },
): number[] | null {
  const cost = new Array<number>(runs).fill(Number.POSITIVE_INFINITY);
  const from = new Array<number>(runs).fill(-1);
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
      from[edge.to] = here;
      open.add(edge.to);
    }
  }
  if (cost[goal] === Number.POSITIVE_INFINITY) return null;
  const path: number[] = [];
  for (let run = goal; run >= 0; run = from[run] as number) path.unshift(run);
  return path;
}
