import { AppError } from '../../../shared/errors.ts';
import type { Pick } from '../../../shared/model/playtest/picks.ts';
import type {
  PlaytestBudget,
  PlaytestFinding,
  PlaytestProgress,
  PlaytestReport,
  PlaytestRoute,
  RouteEnd,
} from '../../../shared/model/playtest/report.ts';
import { START_PATH } from '../../../shared/script/project-index/project-facts.ts';
import { isMemoryEnd } from '../ports/engine-pages.ts';
import { ENDS, type EngineDriver, type RoutePart, toPlace } from './engine-driver.ts';
import type { KeptRun } from './kept-run.ts';
import { type ChoiceState, type Plan, RouteMap, type ShownOption, type Transition, withEarlier } from './route-map.ts';
import { Coverage, toRanges } from './seen/coverage.ts';
import { Observations } from './seen/observations.ts';
import type { StaticRoutes } from './static-routes.ts';

export interface Exploration {
  status: PlaytestReport['status'];
  routes: PlaytestRoute[];
  coverage: Coverage;
  map: RouteMap;
  observations: Observations;
  steps: number;
  /** What a later run needs to go on; null where nothing is left to play, undefined where not even one part was played. */
  rest(): Omit<KeptRun, 'missing' | 'media' | 'filled' | 'ms'> | null | undefined;
}

export interface ExploreOptions {
  driver: EngineDriver;
  routes: StaticRoutes;
  /** Of this run alone, also where it goes on with another. */
  budget: PlaytestBudget;
  /** An earlier run of the same texts to go on with. */
  from?: KeptRun;
  now: () => number;
  signal: AbortSignal;
  /** Called after each part of a route. */
  onProgress?: (progress: PlaytestProgress) => void;
  /** Awaited before each route; it resolves when a paused run goes on. */
  pause?: () => Promise<void>;
  isIdleTalk: (text: string) => boolean;
}

/**
 * Plays a story until every line and option that can be reached was played, or the limits are reached. Plans for coverage, not for
 * all combinations: each route goes to the nearest option that no route has taken, else to one that may lead to an open line. A
 * menu with the same variables is played once.
 */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const run = new Run(options);
  try {
    await run.play();
  } catch (error) {
    // Stopping closes the page during a call.
    if (options.signal.aborted) run.endEarly('stopped');
    else if (error instanceof LimitReached) run.endEarly('limit');
    else if (!(error instanceof AppError)) throw error;
    else if (isMemoryEnd(error)) run.endEarly('no-memory');
    // The story did not begin anew; what was played is not lost.
    else if (ENDS.has(error.code) && run.isRestarting && run.map.first) run.endEarly('no-restart');
    else if (error.code === 'E_TIMEOUT') run.endEarly('no-answer');
    else throw error;
  }
  return run;
}

/** The time of the run ended during a part of a route, or there is more to remember of the story than a run may keep. */
class LimitReached extends Error {}

/** A story of 10,000 states with 50 variables takes about a quarter. A page can make up states without end. */
const MAX_STATES_BYTES = 128 * 1024 * 1024;

class Run implements Exploration {
  status: PlaytestReport['status'] = 'complete';
  readonly routes: PlaytestRoute[] = [];
  readonly coverage: Coverage;
  readonly map: RouteMap;
  readonly observations: Observations;
  steps = 0;
  /** True while the engine begins the story: no route has begun. */
  isRestarting = false;
  readonly #options: ExploreOptions;
  readonly #began: number;
  #leading: ReadonlySet<number> = new Set();
  #leadingOf = -1;
  /** The state in which the engine waits; null between routes. */
  #here: ChoiceState | null = null;
  #picks: Pick[] = [];
  /** Where the last part of a route ended. */
  #last: PlaytestRoute['place'] = { path: START_PATH, line: 1 };
  /** Options that the engine did not take once. */
  readonly #refused = new Set<ShownOption>();
  /** A pick whose end was not seen yet. */
  #taking: Plan | null = null;
  /** Routes of the run that this one goes on with. */
  readonly #before: number = 0;
  /** What was played to its end, of a run that ended early; null for others. */
  #whole: { routes: PlaytestRoute[]; findings: PlaytestFinding[] } | null = null;

  constructor(options: ExploreOptions) {
    this.#options = options;
    this.#began = options.now();
    this.coverage = new Coverage(options.routes);
    this.map = new RouteMap(options.routes);
    this.observations = new Observations(options.isIdleTalk);
    const { from } = options;
    if (!from) return;
    this.coverage.add(from);
    this.map.restore(from.map);
    this.observations.restore(from.findings);
    this.routes = [...from.routes];
    this.steps = from.steps;
    this.#before = from.routes.length;
  }

  rest(): ReturnType<Exploration['rest']> {
    const { map, coverage, steps } = this;
    if (this.#whole === null) return null;
    return map.first === null ? undefined : { map: map.kept(), ...coverage.kept(), ...this.#whole, steps };
  }

  async play(): Promise<void> {
    // An earlier run has played the first part.
    if (this.map.first === null) await this.#begin();
    for (;;) {
      const plan = this.map.plan(this.#here, this.#leadingSteps()) ?? this.map.planShorter(this.#here);
      const limit = this.#findLimit();
      // A limit ends nothing where nothing is left to play; a run that was stopped says so.
      if (limit === 'stopped' || (limit && plan)) {
        this.status = limit;
        this.#noteWhole();
        if (this.#here) this.#endRoute(limit === 'stopped' ? 'stopped' : 'limit', this.#here.place);
        return;
      }
      if (plan === null) {
        if (this.#here) this.#endRoute('again', this.#here.place);
        // What follows was not played.
        if (this.routes.some(({ end }) => end === 'limit')) this.status = 'budget';
        return;
      }
      if (plan.way === null) await this.#goTo(plan.goal);
      else await this.#follow([...plan.way, plan.goal]);
    }
  }

  /** Ends the run during a route, with what it has. */
  endEarly(end: 'stopped' | 'no-answer' | 'no-memory' | 'no-restart' | 'limit'): void {
    this.status = end === 'limit' ? 'budget' : 'stopped';
    // A page that does not answer may have been short of memory: a later run plays this part again, as one that was not played whole.
    this.#noteWhole();
    if (this.#taking) this.map.untake(this.#taking);
    // While the engine begins a story, the last place and picks are of the route before.
    if (end !== 'stopped' && end !== 'limit') this.observations.noteEnd(end, this.#last, this.#picks);
    if (end !== 'no-restart' && !this.isRestarting) this.#endRoute(end, this.#last);
  }

  #noteWhole(): void {
    this.#whole = { routes: [...this.routes], findings: this.observations.all() };
  }

  #findLimit(): PlaytestReport['status'] | null {
    const { signal, budget, now } = this.#options;
    if (signal.aborted) return 'stopped';
    const isLate = now() - this.#began > budget.maxMs;
    return isLate || this.routes.length - this.#before >= budget.maxRoutes ? 'budget' : null;
  }

  #leadingSteps(): ReadonlySet<number> {
    if (this.#leadingOf !== this.coverage.revision) {
      this.#leadingOf = this.coverage.revision;
      this.#leading = this.#options.routes.leadingTo((path, line) => !this.coverage.isPlayed(path, line));
    }
    return this.#leading;
  }

  async #begin(): Promise<void> {
    await this.#options.pause?.();
    if (this.#here) this.#endRoute('again', this.#here.place);
    this.isRestarting = true;
    await this.#options.driver.restart();
    this.isRestarting = false;
    this.#picks = [];
    const first = this.#arrive(await this.#options.driver.advance());
    this.map.first = withEarlier(first, this.map.first);
  }

  /** Starts again and takes the shortest known way. */
  async #goTo(goal: Plan): Promise<void> {
    const wanted = goal.state.picks;
    await this.#begin();
    for (const pick of wanted) {
      const here: ChoiceState | null = this.#here;
      const at = here?.options.findIndex(({ option, isEnabled }) => option === pick.option && isEnabled) ?? -1;
      // Lots were drawn, and this route is another one: it is planned anew from here.
      if (!here || at < 0 || here.place.path !== pick.path || here.place.line !== pick.line) return;
      await this.#take({ state: here, at });
    }
    if (this.#here === goal.state) await this.#take(goal);
  }

  async #follow(way: readonly Plan[]): Promise<void> {
    for (const plan of way) {
      if (this.#here !== plan.state) return;
      await this.#take(plan);
    }
  }

  async #take(plan: Plan): Promise<void> {
    this.#picks.push(this.map.take(plan));
    this.#taking = plan;
    const part = await this.#options.driver.choose(plan.at);
    if (part.stop !== 'late') this.#taking = null;
    const option = plan.state.options[plan.at];
    if (part.stop === 'refused') {
      this.#picks.pop();
      this.map.untake(plan);
      // A template can hide that an option is disabled; a busy page may lose a click, and gets another one.
      if (option && this.#refused.has(option)) option.isEnabled = false;
      else if (option) this.#refused.add(option);
      return;
    }
    const transition = this.#arrive(part);
    if (option) option.led = withEarlier(transition, option.led);
  }

  /** Notes what a part of a route has shown, and where it ended. Throws where the time ended before it. */
  #arrive(part: RoutePart): Transition {
    this.#last = toPlace(part.scene, Math.max(0, part.line - 1));
    this.coverage.add(part);
    this.steps += part.steps;
    const ending = part.stop === 'end' ? findEnding(part, this.#options.routes) : null;
    const found = this.observations.add(part, this.#picks);
    if (part.stop === 'late' || this.observations.isFull) throw new LimitReached();
    if (part.stop === 'choice') {
      const { state } = this.map.enter(part, this.#picks);
      this.#here = state;
      if (this.map.bytes > MAX_STATES_BYTES) throw new LimitReached();
    } else {
      this.#here = null;
      const place = ending ?? toPlace(part.scene, Math.max(0, part.line - (part.stop === 'stuck' ? 0 : 1)));
      this.#endRoute(part.stop === 'refused' ? 'stuck' : part.stop, place);
    }
    const { lines, played } = this.coverage.count();
    const { length } = this.routes;
    this.#options.onProgress?.({ routes: length, lines, played, steps: this.steps, findings: this.observations.size });
    const to = this.#here ? [this.#here] : [];
    return { to, played: toRanges(part.played), endings: ending ? [ending] : [], found };
  }

  #endRoute(end: RouteEnd, place: PlaytestRoute['place']): void {
    this.routes.push({ picks: [...this.#picks], end, place });
    this.#here = null;
  }
}

/** The `end` that a part has played: the last of them, because the engine stops there. */
function findEnding(part: RoutePart, { endings }: StaticRoutes): PlaytestRoute['place'] | null {
  const played = new Map(part.played.map(([path, lines]) => [path, new Set(lines)]));
  const found = endings.findLast(({ path, line }) => played.get(path)?.has(line));
  return found ? toPlace(found.path, found.line) : null;
}
