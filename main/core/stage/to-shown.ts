import type { StageShown as Shown } from '../../../shared/model/stage.ts';

type Variables = Shown['variables'];

const MAX_VARIABLES = 500;
const MAX_VALUE_LENGTH = 500;
/** Longer names are no variables of a script. */
const MAX_NAME_LENGTH = 200;
const MAX_PATH_LENGTH = 1000;
const MAX_FIGURES = 50;
/** Positions of the engine with the fields of its state. */
const FIXED_FIGURES = [
  ['left', 'figNameLeft'],
  ['center', 'figName'],
  ['right', 'figNameRight'],
] as const;

/** Returns what is on the stage by the engine's state, which is untrusted and therefore validated. */
export function toShownStage(stage: Record<string, unknown>): Omit<Shown, 'scene' | 'line'> {
  const { bgm } = stage;
  return {
    speaker: toText(stage.showName, 500),
    text: toText(stage.showText, 5000),
    background: toFile(stage.bgName),
    music: toFile(isRecord(bgm) ? bgm.src : bgm),
    figures: toFigures(stage),
    variables: toVariables(stage.GameVar),
  };
}

function toText(value: unknown, maximum: number): string {
  return typeof value === 'string' ? value.slice(0, maximum) : '';
}

/** Returns the project path of an address of the engine, as `./game/background/beach.webp`. */
function toFile(value: unknown): string {
  return toText(value, MAX_PATH_LENGTH).replace(/^\.\//, '');
}

function toFigures(stage: Record<string, unknown>): Shown['figures'] {
  const fixed = FIXED_FIGURES.map(([position, field]) => ({ file: toFile(stage[field]), position }));
  const free = (Array.isArray(stage.freeFigure) ? stage.freeFigure.slice(0, MAX_FIGURES) : [])
    .filter(isRecord)
    .map(({ name, basePosition }) => ({ file: toFile(name), position: toText(basePosition, MAX_NAME_LENGTH) }));
  return [...fixed, ...free].filter(({ file }) => file !== '');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function toVariables(value: unknown): Variables {
  if (typeof value !== 'object' || value === null) return {};
  const variables: Variables = {};
  for (const [name, content] of Object.entries(value).slice(0, MAX_VARIABLES)) {
    if (name.length > MAX_NAME_LENGTH) continue;
    if (typeof content === 'string') variables[name] = content.slice(0, MAX_VALUE_LENGTH);
    else if (typeof content === 'boolean' || (typeof content === 'number' && Number.isFinite(content))) {
      variables[name] = content;
    }
  }
  return variables;
}
