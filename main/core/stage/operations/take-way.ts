import type { StageFork } from '../../../../shared/model/stage.ts';
import { findStoryPath, type Picks, toButtonText } from '../../../../shared/script/story/story-path.ts';
import { scanChoices } from '../../../../shared/script/syntax/choices.ts';
import type { Statement } from '../../../../shared/script/syntax/scan.ts';
import type { StageMemory } from './stage-memory.ts';

/** Menus of a scene for which a way is remembered; the oldest is forgotten. */
const MAX_WAYS = 200;

/**
 * Returns the remembered ways as picks of the text as it is now: lines move, so each belongs to the menu nearest to its line that
 * has an option of that text.
 */
export function recallPicks(stage: StageMemory, path: string, statements: readonly Statement[]): Picks {
  const ways = stage.ways.get(path) ?? [];
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

/** Returns the menus on the way to a line (1-based) at which the way divides, for the interface. */
export function toForks(statements: readonly Statement[], line: number, picks: Picks): StageFork[] {
  const forks = findStoryPath(statements, Math.max(1, line) - 1, picks)?.forks ?? [];
  return forks.map(({ at, options, taken }) => ({
    line: at + 1,
    options: options.map(({ text }) => text).slice(0, 100),
    taken: options.findIndex(({ place }) => place === taken),
    isChosen: picks.get(at) === taken,
  }));
}

/** Remembers the way that the user takes at a menu. Returns false if the stage shows no such menu. */
export function rememberWay(stage: StageMemory, line: number, option: number): boolean {
  const { place, forks } = stage.state;
  const text = forks?.find((fork) => fork.line === line)?.options[option];
  if (!place || text === undefined) return false;
  const others = (stage.ways.get(place.path) ?? []).filter((way) => way.line !== line);
  stage.ways.set(place.path, [...others.slice(1 - MAX_WAYS), { line, text }]);
  return true;
}
