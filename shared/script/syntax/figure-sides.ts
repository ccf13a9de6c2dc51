import { isEngineAtLeast } from '../engine/engine-version.ts';
import { type Argument, isTruthy } from './scan-arguments.ts';

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

/** What a `changeFigure` does, read once for all rules that follow the figures on stage. */
export interface FigureChange {
  side: FigureSide;
  /** Null for a figure that its side alone names. */
  id: string | null;
  removes: boolean;
  isConditional: boolean;
}

/** What is needed of a statement; the statement's own type depends on this module. */
interface FigureStatement {
  content: string;
  argsStart: number;
  end: number;
  argument(name: string): Pick<Argument, 'value'> | undefined;
}

/** Reads a `changeFigure`. */
export function toFigureChange(statement: FigureStatement, engineVersion: string): FigureChange {
  const { content } = statement;
  const removes = content === '' || content === 'none';
  if (statement.argsStart >= statement.end) return removes ? REMOVES_CENTER : SHOWS_CENTER;
  const id = statement.argument('id');
  return {
    side: sideOf(statement, engineVersion),
    id: id === undefined ? null : String(id.value),
    removes,
    isConditional: statement.argument('when') !== undefined,
  };
}

/** Shared by all lines without arguments. */
const SHOWS_CENTER: FigureChange = { side: 'center', id: null, removes: false, isConditional: false };
const REMOVES_CENTER: FigureChange = { ...SHOWS_CENTER, removes: true };

/** The place of the figure that a `changeFigure` shows or removes. Of several, older engines take the right one. */
function sideOf(statement: FigureStatement, engineVersion: string): FigureSide {
  const isOn = (side: FigureSide) => isTruthy(statement.argument(side)?.value);
  const side = isEngineAtLeast(engineVersion, MORE_SIDES_SINCE) ? ALL_SIDES.find(isOn) : SIDES.findLast(isOn);
  return side ?? 'center';
}
