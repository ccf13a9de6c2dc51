import {
  BACKGROUND_TARGET,
  PICTURE_TARGET,
  type StageFigure,
  type StageLook,
  toLookTarget,
} from '../../../shared/model/stage/stage-look.ts';
import type { StageShown } from '../../../shared/model/stage.ts';
import { FILE_ENDINGS } from '../../../shared/script/syntax/command-values.ts';

const MAX_PATH_LENGTH = 1000;
/** Longer names are no names of a script. */
const MAX_NAME_LENGTH = 200;
const MAX_FIGURES = 50;
/** Positions of the engine with the fields of its state. */
const FIXED_FIGURES = [
  ['left', 'figNameLeft'],
  ['center', 'figName'],
  ['right', 'figNameRight'],
] as const;
/** Larger numbers of a transform are no place or size that can be seen. */
const MAX_NUMBER = 1_000_000;

type Effect = NonNullable<StageLook['effects']>[number];

/** The keys of a transform that turn an effect on, with the value at which it is off. Others only shape it. */
const EFFECT_KEYS: readonly [effect: Effect, off: number, keys: readonly string[]][] = [
  ...(['brightness', 'contrast', 'saturation', 'gamma'] as const).map((name): [Effect, number, string[]] => [
    name,
    1,
    [name],
  ]),
  ['color', 255, ['colorRed', 'colorGreen', 'colorBlue']],
  ['shockwave', 0, ['shockwaveFilter']],
  ['radiusAlpha', 0, ['radiusAlphaFilter']],
  ...(
    ['blur', 'bevel', 'bloom', 'oldFilm', 'dotFilm', 'reflectionFilm', 'glitchFilm', 'rgbFilm', 'godrayFilm'] as const
  ).map((name): [Effect, number, string[]] => [name, 0, [name]]),
];

/** Returns the figures by the engine's state, with what scripts changed of them, of the background and of the picture. Untrusted. */
export function toShownFigures(stage: Record<string, unknown>): Pick<StageShown, 'figures' | 'looks'> {
  const fixed = FIXED_FIGURES.map(([position, field]) => toFigure(stage, { file: toFile(stage[field]), position }));
  const free = toRecords(stage.freeFigure).map(({ name, basePosition, key }) => {
    const id = toText(key, MAX_NAME_LENGTH);
    const figure = { file: toFile(name), position: toText(basePosition, MAX_NAME_LENGTH) };
    return toFigure(stage, { ...figure, ...(id !== '' && { id }) });
  });
  const background = toLook(stage, BACKGROUND_TARGET);
  const whole = toLook(stage, PICTURE_TARGET);
  return {
    figures: [...fixed, ...free].filter(({ file }) => file !== ''),
    ...((background || whole) && { looks: { ...(background && { background }), ...(whole && { stage: whole }) } }),
  };
}

function toFigure(
  stage: Record<string, unknown>,
  figure: { file: string; position: string; id?: string },
): StageFigure {
  const target = toLookTarget(figure);
  // The engine keeps these for a picture too, which has none.
  const isModel = !FILE_ENDINGS.image.some((ending) =>
    figure.file.toLowerCase().replace(/\?.*$/s, '').endsWith(`.${ending}`),
  );
  const expression = isModel ? toText(findOf(stage.live2dExpression, target)?.expression, MAX_NAME_LENGTH) : '';
  const motion = isModel ? toText(findOf(stage.live2dMotion, target)?.motion, MAX_NAME_LENGTH) : '';
  const look = toLook(stage, target);
  return { ...figure, ...(expression && { expression }), ...(motion && { motion }), ...(look && { look }) };
}

/** Returns what differs from the engine's own values; undefined for nothing. */
function toLook(stage: Record<string, unknown>, target: string): StageLook | undefined {
  const transform = findOf(stage.effects, target)?.transform;
  if (!isRecord(transform)) return undefined;
  const moved = toPair(transform.position, 0);
  const size = toPair(transform.scale, 1);
  const turned = toRounded((toNumber(transform.rotation, 0) * 180) / Math.PI, 10);
  const opacity = Math.min(1, Math.max(0, toRounded(toNumber(transform.alpha, 1), 100)));
  const effects = EFFECT_KEYS.filter(([, off, keys]) => keys.some((key) => toNumber(transform[key], off) !== off));
  const look: StageLook = {
    ...((moved.x !== 0 || moved.y !== 0) && { moved }),
    ...((size.x !== 1 || size.y !== 1) && { size }),
    ...(turned !== 0 && { turned }),
    ...(opacity !== 1 && { opacity }),
    ...(effects.length > 0 && { effects: effects.map(([name]) => name) }),
  };
  return Object.keys(look).length > 0 ? look : undefined;
}

function toPair(value: unknown, usual: number): { x: number; y: number } {
  const { x, y } = isRecord(value) ? value : { x: usual, y: usual };
  return { x: toRounded(toNumber(x, usual), 100), y: toRounded(toNumber(y, usual), 100) };
}

function toNumber(value: unknown, usual: number): number {
  return typeof value === 'number' && Math.abs(value) <= MAX_NUMBER ? value : usual;
}

/** `parts`: of one. Without a negative zero. */
function toRounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts + 0;
}

function findOf(list: unknown, target: string): Record<string, unknown> | undefined {
  return toRecords(list).find((each) => each.target === target);
}

function toRecords(list: unknown): Record<string, unknown>[] {
  return (Array.isArray(list) ? list.slice(0, MAX_FIGURES) : []).filter(isRecord);
}

export function toText(value: unknown, maximum: number): string {
  return typeof value === 'string' ? value.slice(0, maximum) : '';
}

/** Returns the project path of an address of the engine, as `./game/background/beach.webp`. */
export function toFile(value: unknown): string {
  return toText(value, MAX_PATH_LENGTH).replace(/^\.\//, '');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
