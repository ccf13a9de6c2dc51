import type { Pick, PlaytestPlace } from '../../../shared/model/playtest/picks.ts';
import type { RoutePart } from './engine-driver.ts';
import type { KeptMap, KeptTransition } from './kept-run.ts';
import { matchOptions } from './match-options.ts';
import { joinRanges, type LineRanges } from './seen/coverage.ts';
import { type Menu, menuKey, type StaticRoutes, type WrittenOption } from './static-routes.ts';

/** An option as one menu showed it. */
export interface ShownOption {
  text: string;
  /** Null where the text of the game has no such menu. */
  written: WrittenOption | null;
  option: number;
  isEnabled: boolean;
  /** What taking it led to; null if it was not taken in this state. */
  led: Transition | null;
}

/** What was played between two choices; with lots, all that the same choice led to. */
export interface Transition {
  /** The states that it ended in, the latest last; none for the end of a route. */
  to: readonly ChoiceState[];
  played: LineRanges;
  /** Places of `end` that were played. */
  endings: readonly PlaytestPlace[];
  /** What went wrong, as `Observations.add` returns it. */
  found: readonly number[];
}

/** A menu with certain variables: the same state shows the same options and has the same future. */
export interface ChoiceState {
  key: string;
  place: PlaytestPlace;
  options: ShownOption[];
  /** The fewest picks that are known to lead here. */
  picks: readonly Pick[];
  /** Steps to which called scenes return. */
  returns: readonly number[];
}

/** A planned pick. */
export interface Plan {
  state: ChoiceState;
  at: number;
}

/** The states that a playtest has seen, and what is worth trying next. */
export class RouteMap {
  readonly #routes: StaticRoutes;
  readonly #states = new Map<string, ChoiceState>();
  /** How often an option was taken, by menu and place in the menu. */
  readonly #taken = new Map<string, number>();
  /** Options that some menu showed, enabled. */
  readonly offered = new Set<string>();
  readonly seenMenus = new Set<string>();
  /** Endings of a story that draws lots, with the number of picks than which fewer were tried. */
  readonly #tried = new Set<string>();
  first: Transition | null = null;
  /** About how much memory the states take, in bytes. */
  bytes = 0;

  constructor(routes: StaticRoutes) {
    this.#routes = routes;
  }

  get takenOptions(): ReadonlyMap<string, number> {
    return this.#taken;
  }

  /** Returns the state of a part that stopped at a menu, and whether it is new. */
  enter(part: RoutePart, picks: readonly Pick[]): { state: ChoiceState; isNew: boolean } {
    const at = part.choice ?? { scene: part.scene, line: Math.max(0, part.line - 1) };
    const place = { path: at.scene, line: at.line + 1 };
    const variables = Object.entries(part.variables).sort(([one], [other]) => (one < other ? -1 : 1));
    const shown = part.options ?? [];
    const key = JSON.stringify([place, part.stack, variables, shown]);
    const known = this.#states.get(key);
    if (known) {
      if (picks.length < known.picks.length) known.picks = [...picks];
      return { state: known, isNew: false };
    }
    const menu = this.#routes.menus.get(menuKey(at.scene, at.line));
    const state: ChoiceState = {
      key,
      place,
      options: toOptions(shown, menu),
      picks: [...picks],
      returns: part.stack.flatMap(([path, line]) => this.#routes.stepAt(path, line + 1) ?? []),
    };
    this.#states.set(key, state);
    this.bytes += toBytes(state);
    this.seenMenus.add(menuKey(at.scene, at.line));
    for (const option of state.options) if (option.isEnabled) this.offered.add(optionKey(place, option.option));
    return { state, isNew: true };
  }

  take({ state, at }: Plan): Pick {
    const option = state.options[at] as ShownOption;
    const key = optionKey(state.place, option.option);
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    return { ...state.place, option: option.option, text: option.text };
  }

  /** Takes back a pick whose end was not seen. */
  untake({ state, at }: Plan): void {
    const key = optionKey(state.place, state.options[at]?.option ?? at);
    const taken = (this.#taken.get(key) ?? 0) - 1;
    if (taken > 0) this.#taken.set(key, taken);
    else this.#taken.delete(key);
  }

  kept(): KeptMap {
    const states = [...this.#states.values()];
    const places = new Map(states.map((state, place) => [state, place]));
    const toKept = ({ to, played, endings, found }: Transition): KeptTransition => ({
      ...{ endings: [...endings], found: [...found] },
      to: to.flatMap((state) => places.get(state) ?? []),
      played: played.map(([path, runs]) => [path, runs.map(([first, last]) => [first, last])]),
    });
    return {
      first: this.first && toKept(this.first),
      states: states.map(({ key, place, options, picks, returns }) => ({
        ...{ key, place, picks: [...picks], returns: [...returns] },
        options: options.map(({ written: _, led, ...shown }) => ({ ...shown, led: led && toKept(led) })),
      })),
      taken: [...this.#taken],
      offered: [...this.offered],
    };
  }

  /** Fills an empty map with what an earlier run of the same texts kept. */
  restore(kept: KeptMap): void {
    const states = kept.states.map(({ options, ...state }): ChoiceState => {
      const key = menuKey(state.place.path, state.place.line - 1);
      const written = this.#routes.menus.get(key)?.options ?? [];
      this.seenMenus.add(key);
      const shown = options.map((one) => ({ ...one, written: written[one.option] ?? null, led: null }));
      return { ...state, options: shown };
    });
    const toTransition = (led: KeptTransition | null | undefined): Transition | null =>
      led ? { ...led, to: led.to.flatMap((place) => states[place] ?? []) } : null;
    for (const [at, state] of states.entries()) {
      this.#states.set(state.key, state);
      this.bytes += toBytes(state);
      for (const [place, option] of state.options.entries()) {
        option.led = toTransition(kept.states[at]?.options[place]?.led);
      }
    }
    for (const [key, count] of kept.taken) this.#taken.set(key, count);
    for (const key of kept.offered) this.offered.add(key);
    this.first = toTransition(kept.first);
  }

  /**
   * Plans the next pick: an option that no route has taken, else one that can lead to an open line. Of equal ones, the one that
   * was taken least, then the nearest from `here`, or from the start. Null if no pick can reach more.
   */
  plan(here: ChoiceState | null, leading: ReadonlySet<number>): { goal: Plan; way: Plan[] | null } | null {
    let best: { goal: Plan; rank: number[]; way: Plan[] | null } | null = null;
    const distances = here ? this.#waysFrom(here) : null;
    for (const state of this.#states.values()) {
      const way = distances?.get(state) ?? null;
      for (const [at, option] of state.options.entries()) {
        if (option.led !== null || !option.isEnabled) continue;
        const taken = this.#taken.get(optionKey(state.place, option.option)) ?? 0;
        if (taken > 0 && !canLead(option, state, leading)) continue;
        const rank = [taken === 0 ? 0 : 1, taken, way ? way.length : state.picks.length + 2];
        if (best === null || isLess(rank, best.rank)) best = { goal: { state, at }, rank, way };
      }
    }
    return best && { goal: best.goal, way: best.way };
  }

  /**
   * Plans a shorter way to an ending: its last option, in a state that is nearer to the start. Null if there is none that was not
   * tried. Where the story draws lots, a state may not come again, so that a way is tried once, and then what it led to.
   */
  planShorter(here: ChoiceState | null): { goal: Plan; way: Plan[] | null } | null {
    for (const [ending, picks] of this.shortest().endings) {
      const last = picks.at(-1);
      if (!last) continue;
      const way = `${ending} ${picks.length}`;
      for (const state of this.#tried.has(way) ? [here] : [here, ...this.#states.values()]) {
        if (state === null) continue;
        const isNearer = state.picks.length + 1 < picks.length;
        if (!isNearer || state.place.path !== last.path || state.place.line !== last.line) continue;
        const at = state.options.findIndex(({ option, isEnabled, led }) => option === last.option && isEnabled && !led);
        if (at < 0) continue;
        if (this.#routes.isRandom && state !== here) this.#tried.add(way);
        return { goal: { state, at }, way: state === here ? [] : null };
      }
    }
    return null;
  }

  /** The picks that lead from a state to each known one, by the shortest way. */
  #waysFrom(here: ChoiceState): Map<ChoiceState, Plan[]> {
    const ways = new Map<ChoiceState, Plan[]>([[here, []]]);
    for (const [state, way] of ways) {
      for (const [at, option] of state.options.entries()) {
        const to = option.led?.to.at(-1);
        if (to && !ways.has(to)) ways.set(to, [...way, { state, at }]);
      }
    }
    return ways;
  }

  /** The fewest choices to each scene, ending and finding that a route came to. */
  shortest(): Record<'scenes' | 'endings', Map<string, readonly Pick[]>> & { findings: Map<number, readonly Pick[]> } {
    const scenes = new Map<string, readonly Pick[]>();
    const endings = new Map<string, readonly Pick[]>();
    const findings = new Map<number, readonly Pick[]>();
    for (const [{ played, endings: ends, found }, picks] of this.#nearest()) {
      for (const [scene] of played) if (!scenes.has(scene)) scenes.set(scene, picks);
      for (const finding of found) if (!findings.has(finding)) findings.set(finding, picks);
      for (const end of ends) if (!endings.has(placeKey(end))) endings.set(placeKey(end), picks);
    }
    return { scenes, endings, findings };
  }

  /** The fewest choices to those of these lines that a route played, by `placeKey`. */
  shortestTo(places: readonly PlaytestPlace[]): Map<string, readonly Pick[]> {
    const open = new Map<string, Set<number>>();
    for (const { path, line } of places) open.set(path, (open.get(path) ?? new Set()).add(line));
    const found = new Map<string, readonly Pick[]>();
    for (const [{ played }, picks] of this.#nearest()) {
      for (const [path, runs] of played) {
        const wanted = open.get(path) ?? [];
        for (const line of wanted) {
          if (found.has(placeKey({ path, line }))) continue;
          if (runs.some(([first, last]) => line > first && line <= last + 1))
            found.set(placeKey({ path, line }), picks);
        }
      }
    }
    return found;
  }

  /** What was played between two choices, with the fewest choices that lead through it, those with fewer first. */
  *#nearest(): Generator<readonly [Transition, readonly Pick[]]> {
    if (this.first === null) return;
    yield [this.first, []];
    const ways = new Map<ChoiceState, readonly Pick[]>();
    for (const state of this.first.to) ways.set(state, []);
    for (const [state, picks] of ways) {
      for (const { led, option, text } of state.options) {
        if (led === null) continue;
        const way = [...picks, { ...state.place, option, text }];
        yield [led, way];
        for (const to of led.to) if (!ways.has(to)) ways.set(to, way);
      }
    }
  }
}

/** Adds what the same choice showed before: a fault may show once only, and a story that draws lots may lead elsewhere. */
export function withEarlier(led: Transition, before: Transition | null): Transition {
  if (before === null) return led;
  return {
    to: [...before.to.filter((state) => !led.to.includes(state)), ...led.to],
    played: joinRanges(before.played, led.played),
    endings: [...new Map([...before.endings, ...led.endings].map((end) => [placeKey(end), end])).values()],
    found: [...new Set([...before.found, ...led.found])],
  };
}

export const optionKey = (place: PlaytestPlace, option: number): string => `${place.path}:${place.line}:${option}`;
export const placeKey = ({ path, line }: PlaytestPlace): string => `${path}:${line}`;

function toOptions(shown: NonNullable<RoutePart['options']>, menu: Menu | undefined): ShownOption[] {
  const places = matchOptions(
    shown.map(({ text }) => text),
    menu?.options ?? [],
  );
  return shown.map(({ text, isEnabled }, at) => {
    const option = places[at] ?? at;
    return { text, isEnabled, option, written: menu?.options[option] ?? null, led: null };
  });
}

/** Two bytes for a character, eight for a reference, and about a hundred for each object. */
function toBytes({ key, options, picks }: ChoiceState): number {
  const texts = options.reduce((sum, { text }) => sum + text.length, key.length);
  return 2 * texts + 8 * picks.length + 100 * (options.length + 1);
}

/** True if an open line may follow. A menu that the text does not have may lead anywhere. */
function canLead(option: ShownOption, state: ChoiceState, leading: ReadonlySet<number>): boolean {
  if (option.written === null) return leading.size > 0;
  return option.written.targets.some((step) => leading.has(step)) || state.returns.some((step) => leading.has(step));
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  for (const [at, value] of one.entries()) if (value !== other[at]) return value < (other[at] ?? 0);
  return false;
}
