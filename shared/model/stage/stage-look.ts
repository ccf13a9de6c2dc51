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
