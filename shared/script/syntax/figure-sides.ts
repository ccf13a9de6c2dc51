import { isEngineAtLeast } from '../engine/engine-version.ts';

const SIDES = ['left', 'right'] as const;
/** Places at a third and at a quarter of the stage. */
export const MORE_SIDES = ['left13', 'right13', 'left14', 'right14'] as const;
/** From published builds: 4.6.2 does not know the further places, 4.6.3 does. */
export const MORE_SIDES_SINCE = '4.6.3';

const ALL_SIDES = [...SIDES, ...MORE_SIDES] as const;
const STAGE_TARGETS = ['fig-left', 'fig-center', 'fig-right', 'bg-main', 'stage-main'] as const;
const ALL_STAGE_TARGETS = [...STAGE_TARGETS, ...MORE_SIDES.map((side) => `fig-${side}`)];

export type FigureSide = 'center' | (typeof ALL_SIDES)[number];

/** Targets that always exist on stage; free figures add their own ids. */
export function stageTargets(engineVersion: string): readonly string[] {
  return isEngineAtLeast(engineVersion, MORE_SIDES_SINCE) ? ALL_STAGE_TARGETS : STAGE_TARGETS;
}

/** The place of the figure that a `changeFigure` shows or removes: the first one that the engine finds. */
export function sideOf(statement: { argument(name: string): unknown }, engineVersion: string): FigureSide {
  const sides = isEngineAtLeast(engineVersion, MORE_SIDES_SINCE) ? ALL_SIDES : SIDES;
  return sides.find((side) => statement.argument(side)) ?? 'center';
}
