import { z } from 'zod';

/** Effects that the engine can lay over something on the stage; the page shows `stage:look.effect.<name>`. */
const LOOK_EFFECTS = [
  ...(['blur', 'brightness', 'contrast', 'saturation', 'gamma', 'color', 'bevel', 'bloom', 'shockwave'] as const),
  ...(['radiusAlpha', 'oldFilm', 'dotFilm', 'reflectionFilm', 'glitchFilm', 'rgbFilm', 'godrayFilm'] as const),
] as const;

/** How something on the stage differs from how it was put there. Absent: no difference of that kind. */
export const StageLook = z.object({
  /** To the right and down, in pixels of a stage of 2560 × 1440. */
  moved: z.object({ x: z.number(), y: z.number() }).optional(),
  /** Times its size; negative: mirrored. */
  size: z.object({ x: z.number(), y: z.number() }).optional(),
  /** Degrees, clockwise. */
  turned: z.number().optional(),
  /** From 0, not to be seen, to 1. */
  opacity: z.number().optional(),
  effects: z.array(z.enum(LOOK_EFFECTS)).optional(),
});
export type StageLook = z.infer<typeof StageLook>;

/** A figure on the stage. */
export const StageFigure = z.object({
  /** Project path of its picture or model. */
  file: z.string(),
  /** `left`, `center`, `right`, or what a newer engine names. */
  position: z.string(),
  /** The name that the script gave it; absent for one without. */
  id: z.string().optional(),
  /** Those of a model that moves (Live2D); absent for none. */
  expression: z.string().optional(),
  motion: z.string().optional(),
  look: StageLook.optional(),
});
export type StageFigure = z.infer<typeof StageFigure>;

/** The engine's names of the background and of the whole picture, where one changes how something looks. */
export const BACKGROUND_TARGET = 'bg-main';
export const PICTURE_TARGET = 'stage-main';

/** Returns the engine's name of a figure, where one changes how it looks. */
export function toLookTarget({ id, position }: Pick<StageFigure, 'id' | 'position'>): string {
  return id ?? `fig-${position}`;
}

/** Greatest numbers of a pose, either way. */
export const POSE_LIMITS = { moved: 10_000, size: 20, turned: 3600 } as const;

const within = (most: number) => z.number().min(-most).max(most);
const pair = (most: number) => z.strictObject({ x: within(most), y: within(most) });

/** Where something on the stage stands, its size, turn and opacity, all of them; units as those of `StageLook`. */
export const StagePose = z.strictObject({
  moved: pair(POSE_LIMITS.moved),
  size: pair(POSE_LIMITS.size),
  turned: within(POSE_LIMITS.turned),
  opacity: z.number().min(0).max(1),
});
export type StagePose = z.infer<typeof StagePose>;

/** Returns the pose of something with this look. */
export function toPose({ moved, size, turned, opacity }: StageLook = {}): StagePose {
  return { moved: moved ?? { x: 0, y: 0 }, size: size ?? { x: 1, y: 1 }, turned: turned ?? 0, opacity: opacity ?? 1 };
}

/** A pose as scripts and the engine write it: a transform. `rotation` is in radians. */
export interface StageTransform {
  position: { x: number; y: number };
  scale: { x: number; y: number };
  rotation: number;
  alpha: number;
}

export function toTransform({ moved, size, turned, opacity }: StagePose): StageTransform {
  // Four digits are finer than a tenth of a degree, and short enough for a line of a script.
  const rotation = Math.round((turned * Math.PI * 10_000) / 180) / 10_000 + 0;
  return { position: moved, scale: size, rotation, alpha: opacity };
}
