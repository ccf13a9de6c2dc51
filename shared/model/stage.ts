import { z } from 'zod';

/** Which text the stage plays: hers (disk plus what she has typed), or the assistant's proposal over it. */
export const StageSource = z.enum(['saved', 'proposal']);
export type StageSource = z.infer<typeof StageSource>;

/** A place in the story. `line` is 1-based; the stage shows the game as it stands after that line. */
export const StagePlace = z.object({ path: z.string(), line: z.int().min(1), source: StageSource });
export type StagePlace = z.infer<typeof StagePlace>;

/** Something that went wrong on stage; the page words it (`stage:problem.<reason>`, with `subject` as value). */
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
  /** The file or the engine's words, made safe to show. */
  subject: z.string(),
  /** Where in the script it comes from, if that is known. */
  place: z.object({ path: z.string(), line: z.int().min(1) }).nullable(),
});
export type StageProblem = z.infer<typeof StageProblem>;

export const StageState = z.object({
  /** `off`: no game open. `starting`: the engine loads. `ready`: it answers. `lost`: it stopped answering. */
  status: z.enum(['off', 'starting', 'ready', 'lost']),
  /** Where the page embeds the engine from: loopback, an origin of its own, ends with `/`. Null when off. */
  url: z.string().nullable(),
  /** What was last asked for. */
  place: StagePlace.nullable(),
  /** What the engine says it shows; `scene` is a project path, `speaker` and `text` are the line on screen. */
  shown: z
    .object({
      scene: z.string(),
      line: z.int().min(0),
      speaker: z.string(),
      text: z.string(),
      variables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    })
    .nullable(),
  /** Lines next to the one asked for that the player would stop at; absent while no scene was asked for. */
  steps: z.object({ previous: z.int().min(1).nullable(), next: z.int().min(1).nullable() }).optional(),
  problems: z.array(StageProblem),
});
export type StageState = z.infer<typeof StageState>;
