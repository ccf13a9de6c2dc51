import { z } from 'zod';

/** Which text the stage plays: the user's (disk plus unsaved text), or the assistant's proposal over it. */
export const StageSource = z.enum(['saved', 'proposal']);
export type StageSource = z.infer<typeof StageSource>;

/** A place in the story. `line` is 1-based; the stage shows the game as it stands after that line. */
export const StagePlace = z.object({ path: z.string(), line: z.int().min(1), source: StageSource });
export type StagePlace = z.infer<typeof StagePlace>;

/** A problem during playback; the page shows `stage:problem.<reason>` with `subject` as value. */
export const StageProblem = z.object({
  id: z.string(),
  reason: z.enum([
    'missing-background',
    'missing-figure',
    'missing-sound',
    'missing-video',
    'missing-scene',
    'missing-file',
    'blocked-address',
    'script-error',
    'stuck',
  ]),
  /** The file, or the engine's error text, escaped for display. */
  subject: z.string(),
  /** Where in the script it originates, if known. */
  place: z.object({ path: z.string(), line: z.int().min(1) }).nullable(),
});
export type StageProblem = z.infer<typeof StageProblem>;

export const StageState = z.object({
  /** `off`: no game open. `starting`: the engine loads. `ready`: it responds. `lost`: it stopped responding. */
  status: z.enum(['off', 'starting', 'ready', 'lost']),
  /** The engine's URL for the page's frame: loopback, a separate origin, ends with `/`. Null when off. */
  url: z.string().nullable(),
  /** The place last requested. */
  place: StagePlace.nullable(),
  /** What the engine reports: `scene` is a project path, `speaker` and `text` are the line on screen. */
  shown: z
    .object({
      scene: z.string(),
      line: z.int().min(0),
      speaker: z.string(),
      text: z.string(),
      variables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    })
    .nullable(),
  /**
   * The nearest lines before and after the requested one at which the player stops; absent until a scene is requested.
   */
  steps: z.object({ previous: z.int().min(1).nullable(), next: z.int().min(1).nullable() }).optional(),
  problems: z.array(StageProblem),
});
export type StageState = z.infer<typeof StageState>;
