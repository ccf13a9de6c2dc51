import type { TFunction } from 'i18next';
import type { StageFigure, StageLook } from '../../../shared/model/stage/stage-look.ts';

type Say = TFunction<'stage'>;

const POSITIONS = ['left', 'center', 'right'] as const;

/** Describes a figure in a line: its file, where it stands, expression and motion, and what a script changed of it. */
export function toFigureWords({ file, position, id, expression, motion, look }: StageFigure, t: Say): string {
  const known = POSITIONS.find((each) => each === position);
  return withDetails(toFileName(file), t, [
    known ? t(`look.position.${known}`) : position,
    id === undefined ? '' : t('look.id', { name: id }),
    expression === undefined ? '' : t('look.expression', { name: expression }),
    motion === undefined ? '' : t('look.motion', { name: motion }),
    ...toLookParts(look, t),
  ]);
}

/** Describes a file, or nothing, with what was changed of it. */
export function toLookedWords(name: string, look: StageLook | undefined, t: Say): string {
  return withDetails(name, t, toLookParts(look, t));
}

/** Describes what a script changed of something on the stage; empty for nothing. */
export function toLookWords(look: StageLook | undefined, t: Say): string {
  return toLookParts(look, t).join(t('look.and'));
}

export function toFileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function withDetails(name: string, t: Say, parts: readonly string[]): string {
  const details = parts.filter((part) => part !== '').join(t('look.and'));
  return details === '' ? name : t('look.detailed', { name, details });
}

function toLookParts({ moved, size, turned, opacity, effects = [] }: StageLook = {}, t: Say): string[] {
  return [
    ...(moved ? toMovedParts(moved, t) : []),
    ...(size ? toSizeParts(size, t) : []),
    ...(turned === undefined
      ? []
      : [t(turned > 0 ? 'look.turned' : 'look.turned-back', { degrees: Math.abs(turned) })]),
    ...(opacity === undefined ? [] : [toOpacityPart(opacity, t)]),
    ...effects.map((effect) => t(`look.effect.${effect}`)),
  ];
}

function toMovedParts({ x, y }: { x: number; y: number }, t: Say): string[] {
  return [
    ...(x === 0 ? [] : [t(x > 0 ? 'look.right' : 'look.left', { by: Math.abs(x) })]),
    ...(y === 0 ? [] : [t(y > 0 ? 'look.down' : 'look.up', { by: Math.abs(y) })]),
  ];
}

function toSizeParts({ x, y }: { x: number; y: number }, t: Say): string[] {
  const [wide, high] = [Math.abs(x), Math.abs(y)];
  const size = wide === high ? t('look.size', { times: wide }) : t('look.stretched', { wide, high });
  return [
    ...(wide === 1 && high === 1 ? [] : [size]),
    ...(x < 0 ? [t('look.mirrored')] : []),
    ...(y < 0 ? [t('look.upside-down')] : []),
  ];
}

function toOpacityPart(opacity: number, t: Say): string {
  return opacity === 0 ? t('look.invisible') : t('look.clear', { percent: Math.round((1 - opacity) * 100) });
}
