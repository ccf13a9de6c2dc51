import type { TakenWay } from '../../../../shared/model/stage/stage-orders.ts';
import type { StageFork, StageWay } from '../../../../shared/model/stage.ts';
import { type Picks, toButtonText } from '../../../../shared/script/story/story-path.ts';
import type { StoryWay } from '../../../../shared/script/story/story-way.ts';
import { scanChoices } from '../../../../shared/script/syntax/choices.ts';
import type { Statement } from '../../../../shared/script/syntax/scan.ts';
import type { StageMemory } from '../operations/stage-memory.ts';
import { toSafeWords } from '../problems/to-problem.ts';
import type { SceneRoute } from '../scenes/scene-routes.ts';

/** Menus of a scene for which a way is remembered; the oldest is forgotten. */
const MAX_WAYS = 200;
/** A way is remembered for a menu by its line, and for the beginning of a scene by this. */
const BEGINNING = 0;
/** More are not said. */
const MAX_VALUES = 20;

/**
 * Returns the remembered ways as picks of the text as it is now: lines move, so each belongs to the menu nearest to its line that
 * has an option of that text.
 */
export function recallPicks(stage: StageMemory, path: string, statements: readonly Statement[]): Picks {
  const ways = (stage.ways.get(path) ?? []).filter(({ line }) => line !== BEGINNING);
  const picks = new Map<number, number>();
  if (ways.length === 0) return picks;
  const menus = statements.flatMap(({ command, content }, at) =>
    command?.content.kind === 'choices'
      ? [{ at, options: scanChoices(content, 0, content.length).map(({ label }) => toButtonText(label)) }]
      : [],
  );
  for (const way of ways) {
    const distance = ({ at }: { at: number }) => Math.abs(at + 1 - way.line);
    const [nearest] = menus
      .filter(({ options }) => options.includes(way.text))
      .sort((one, other) => distance(one) - distance(other));
    if (!nearest) continue;
    way.line = nearest.at + 1;
    picks.set(nearest.at, nearest.options.indexOf(way.text));
  }
  return picks;
}

/** Returns the scene from which the user chose to come to another. */
export function recallEntry(stage: StageMemory, path: string): string | undefined {
  return stage.ways.get(path)?.find(({ line }) => line === BEGINNING)?.text;
}

/** Returns where the way to a line divides, for the interface: the scenes before, and the menus. `picks`: what the user chose, by scene. */
export function toForks(
  { forks }: StoryWay,
  { path, route, entry, picks }: { path: string; route: SceneRoute; entry: string | undefined; picks: Picks[] },
): StageFork[] {
  const { entries, scenes } = route;
  const from = scenes.at(-1)?.path;
  const beginning: StageFork[] =
    entries.length > 1 && from !== undefined
      ? [
          {
            path,
            line: BEGINNING,
            options: entries.slice(0, 100),
            taken: entries.indexOf(from),
            isChosen: entry === from,
          },
        ]
      : [];
  const picksOf = (scene: string) =>
    scene === path ? picks.at(-1) : picks[scenes.findIndex((each) => each.path === scene)];
  const menus = forks.map(
    (fork): StageFork => ({
      ...{ path: fork.path, line: fork.at + 1 },
      options: fork.options.map(({ text }) => text).slice(0, 100),
      taken: fork.options.findIndex(({ place }) => place === fork.taken),
      isChosen: picksOf(fork.path)?.get(fork.at) === fork.taken,
    }),
  );
  return [...beginning, ...menus];
}

/** Returns what the stage assumed on the way, and why it found none; null for nothing. */
export function toStageWay({ assumptions, failure }: StoryWay, route: SceneRoute, path: string): StageWay | null {
  if (assumptions.length === 0 && !failure && !route.failure) return null;
  const far = route.failure && { reason: route.failure, path, line: 1, condition: '' };
  const why = failure ?? far;
  return {
    values: assumptions.slice(0, MAX_VALUES).map(({ name, value, ...place }) => ({
      ...{ name: toSafeWords(name), ...place },
      value: typeof value === 'string' ? toSafeWords(value) : value,
    })),
    failure: why && { ...why, condition: toSafeWords(why.condition) },
  };
}

/** Remembers the way that the user takes where it divides. Returns false if the stage shows no such place. */
export function rememberWay(stage: StageMemory, { path, line, option }: TakenWay): boolean {
  const text = stage.state.forks?.find((fork) => fork.path === path && fork.line === line)?.options[option];
  if (text === undefined) return false;
  const others = (stage.ways.get(path) ?? []).filter((way) => way.line !== line);
  stage.ways.set(path, [...others.slice(1 - MAX_WAYS), { line, text }]);
  return true;
}
