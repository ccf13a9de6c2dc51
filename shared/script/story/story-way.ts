import type { StoryValue } from '../../model/stage.ts';
import { evaluateAssignment, evaluateCondition, type VariableValue } from '../syntax/conditions/evaluate.ts';
import { type KnownValues, solveCondition, UNKNOWN } from '../syntax/conditions/solve-condition.ts';
import type { Statement } from '../syntax/scan.ts';
import { type Fork, findNeed, findStoryPath, type Need, type Picks } from './story-path.ts';

/** A scene through which the story comes, up to the statement at which it is left, or which is to be shown. */
export interface WayScene {
  path: string;
  statements: readonly Statement[];
  /** 0-based. */
  target: number;
  /** The option (its place in the menu) by which the scene is left; absent for other ways. */
  option?: number;
  /** What the user chose. */
  picks: Picks;
}

/** A value that the stage sets because a condition on the way needs it. `line` (1-based) is that of the condition. */
export interface Assumption {
  name: string;
  value: StoryValue;
  path: string;
  line: number;
}

/**
 * What the way cannot do. `line`: nothing in the scene leads to the line. `condition`: no values are found that the condition in
 * `line` (1-based) needs. `too-long`: the scene has too many branches to search.
 */
export interface WayFailure {
  reason: 'line' | 'condition' | 'too-long';
  path: string;
  line: number;
  condition: string;
}

/** A statement that the story executes on its way, and what has to be set before it. */
export interface WayStep {
  statement: Statement;
  /** 1-based line of the last scene; 1 for statements of scenes before it. */
  line: number;
  /** The scene's path and the 1-based line of the statement itself. */
  at: { path: string; line: number };
  sets: readonly Assumption[];
}

export interface StoryWay {
  /** All statements before the target that are on the way, with those that need values. */
  steps: WayStep[];
  /** What has to be set for the target itself. */
  sets: readonly Assumption[];
  /** The menus at which the way divides: those of the last scene, and those before it where the conditions decided. */
  forks: (Fork & { path: string })[];
  assumptions: Assumption[];
  failure: WayFailure | null;
}

/** Commands that are shown with their condition as it is: none of them is seen, and the story goes on either way. */
const GOES_ON = new Set(['jumpLabel', 'changeScene', 'callScene', 'end', 'setVar']);

/** How many values are tried for the conditions of all compared ways. */
const MAX_VALUES = 1_000;
/** A path costs time: limits how many combinations of options are compared, by the number of statements. */
const MAX_WORK = 20_000;
const MAX_TRIES = 40;

/**
 * Finds how the story comes to the target of the last scene, through the scenes before it, and which values the conditions on the
 * way need. Of the options that the user has not chosen, those count that need the fewest values to be set; then the first.
 */
export function findStoryWay(scenes: readonly WayScene[]): StoryWay {
  const picks = scenes.map((scene) => new Map(scene.picks));
  const paths = scenes.map((scene) => findStoryPath(scene.statements, scene.target, scene.picks));
  const budget = { left: MAX_VALUES };
  let best = follow(scenes, paths, { budget, changed: new Set() });
  const changed = new Set<string>();
  const size = scenes.reduce((sum, { statements }) => sum + statements.length, 1);
  let tries = Math.min(MAX_TRIES, Math.floor(MAX_WORK / size));
  for (const [at, scene] of scenes.entries()) {
    for (const fork of forksOf(paths[at])) {
      if (scene.picks.has(fork.at)) continue;
      for (const { place } of fork.options) {
        if (costOf(best) === 0 || tries === 0) return best;
        if (place === fork.taken) continue;
        tries -= 1;
        const other = new Map(picks[at]).set(fork.at, place);
        const path = findStoryPath(scene.statements, scene.target, other);
        const way = follow(scenes, paths.with(at, path), {
          budget,
          changed: new Set([...changed, `${at} ${fork.at}`]),
        });
        if (costOf(way) >= costOf(best)) continue;
        best = way;
        picks[at] = other;
        paths[at] = path;
        changed.add(`${at} ${fork.at}`);
      }
    }
  }
  return best;
}

const costOf = ({ failure, assumptions }: StoryWay): number => (failure ? 1_000 : 0) + assumptions.length;

const forksOf = (path: ReturnType<typeof findStoryPath> | undefined): readonly Fork[] =>
  path && path !== 'too-long' ? path.forks : [];

/** Follows the paths with the values that the statements on them set. `changed`: forks before the last scene that are told. */
function follow(
  scenes: readonly WayScene[],
  paths: readonly ReturnType<typeof findStoryPath>[],
  { budget, changed }: { budget: { left: number }; changed: ReadonlySet<string> },
): StoryWay {
  const way: StoryWay = { steps: [], sets: [], forks: [], assumptions: [], failure: null };
  const values = new Map<string, VariableValue | typeof UNKNOWN>();
  for (const [at, { path, statements, target, option }] of scenes.entries()) {
    const found = paths[at] ?? null;
    const story = found === 'too-long' ? null : found;
    const isLast = at === scenes.length - 1;
    // Nothing leads to a blank line behind the end, and nothing has to.
    if (!story && statements[target]?.command) {
      way.failure ??= { reason: found === 'too-long' ? found : 'line', path, line: target + 1, condition: '' };
    }
    const meet = (index: number, need: Need | null): readonly Assumption[] => {
      const sets = need ? meetNeed(need, values, budget) : [];
      if (sets === null) {
        way.failure ??= { reason: 'condition', path, line: index + 1, condition: need?.condition ?? '' };
        return [];
      }
      const assumed = sets.map((set) => ({ ...set, path, line: index + 1 }));
      way.assumptions.push(...assumed);
      return assumed;
    };
    for (const [index, statement] of statements.slice(0, target).entries()) {
      if (story && !story.isOnPath[index]) continue;
      const sets = meet(index, story?.needs.get(index) ?? null);
      runStatement(statement, values);
      way.steps.push({ statement, line: isLast ? index + 1 : 1, at: { path, line: index + 1 }, sets });
    }
    const last = statements[target];
    const isMet = last && (!isLast || !GOES_ON.has(last.command?.name ?? ''));
    const sets = isMet ? meet(target, findNeed(last, option)) : [];
    if (isLast) way.sets = sets;
    else if (last) way.steps.push({ statement: last, line: 1, at: { path, line: target + 1 }, sets });
    const forks = forksOf(found).filter((fork) => isLast || changed.has(`${at} ${fork.at}`));
    way.forks.push(...forks.map((fork) => ({ ...fork, path })));
  }
  return way;
}

/** Returns what has to be set, and sets it. Null if no values are found. */
function meetNeed(
  { condition, holds }: Need,
  values: Map<string, VariableValue | typeof UNKNOWN>,
  budget: { left: number },
): Pick<Assumption, 'name' | 'value'>[] | null {
  const set = solveCondition(condition, holds, values, budget);
  if (!set) return null;
  for (const [name, value] of set) values.set(name, value);
  return [...set].map(([name, value]) => ({ name, value }));
}

/** Carries out an assignment. */
function runStatement(statement: Statement, values: Map<string, VariableValue | typeof UNKNOWN>): void {
  if (statement.command?.name !== 'setVar') return;
  const lookUp = toLookUp(values);
  const when = statement.argument('when')?.raw;
  if (typeof when === 'string' && !evaluateCondition(when, lookUp)) return;
  const assigned = evaluateAssignment(statement.content, lookUp);
  if (assigned.kind !== 'set') return;
  // Random numbers, and what is calculated from them.
  const isUnknown =
    /^\s*random\s*\(/.test(statement.content.split('=', 2)[1] ?? '') ||
    [...values].some(([name, value]) => value === UNKNOWN && statement.content.includes(name));
  if (isUnknown) values.set(assigned.name, UNKNOWN);
  else if (assigned.value === undefined) values.delete(assigned.name);
  else values.set(assigned.name, assigned.value);
}

function toLookUp(values: KnownValues): (name: string) => VariableValue | undefined {
  return (name) => {
    const value = values.get(name);
    return value === UNKNOWN ? undefined : value;
  };
}
