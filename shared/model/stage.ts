import { z } from 'zod';
import { StageFigure, StageLook } from './stage/stage-look.ts';
import { StageRoute } from './stage/stage-route.ts';

/** Which text the stage plays: the user's (disk plus unsaved text), or the assistant's proposal over it. */
export const StageSource = z.enum(['saved', 'proposal']);
export type StageSource = z.infer<typeof StageSource>;

/** A place in the story. `line` is 1-based; the stage shows the game as it stands after that line. */
export const StagePlace = z.object({ path: z.string(), line: z.int().min(1), source: StageSource });
export type StagePlace = z.infer<typeof StagePlace>;

/** `isMoved`: the line that the stage shows, moved by a change of the text above it: what the player did since stays. */
export const StageRequest = StagePlace.extend({ isMoved: z.boolean().optional() }).strict();
export type StageRequest = z.infer<typeof StageRequest>;

/** A value of a story variable. */
export const StoryValue = z.union([z.string(), z.number(), z.boolean()]);
export type StoryValue = z.infer<typeof StoryValue>;

/** An option of the menu that the story shows. */
export const StageChoice = z.object({ text: z.string(), isEnabled: z.boolean() });
export type StageChoice = z.infer<typeof StageChoice>;

/**
 * Why an order to the running story was not carried out. `closed`: no page shows the stage. `not-ready`: the engine has not
 * started. `no-answer`: its page does not respond. `title`: the story has not begun or has ended. `choice`, `input`: the story
 * waits for one. `no-choice`, `no-option`, `disabled`: there is no menu, no such option, or it cannot be chosen. `waits`: the
 * engine waits for something else, such as a film, or there is no further line. `loading`: a scene does not arrive. `endless`:
 * the story moves without end. `ignored`: the engine did not take the value. `unknown-name`: no name of a variable. `failed`: the
 * page reported a failure.
 */
export const StageFailure = z.enum([
  ...(['closed', 'not-ready', 'no-answer', 'title', 'choice', 'input', 'no-choice', 'no-option', 'disabled'] as const),
  ...(['waits', 'loading', 'busy', 'endless', 'ignored', 'unknown-name', 'failed'] as const),
]);
export type StageFailure = z.infer<typeof StageFailure>;

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
    'unreadable-file',
    'blocked-address',
    'script-error',
    'stuck',
    'endless-jump',
    'empty-menu',
  ]),
  /** The file, or the engine's error text, escaped for display. */
  subject: z.string(),
  /** Where in the script it originates, if known. */
  place: z.object({ path: z.string(), line: z.int().min(1) }).nullable(),
});
export type StageProblem = z.infer<typeof StageProblem>;

/** What the engine reports: `scene` is a project path, `speaker` and `text` are the line on screen. */
export const StageShown = z.object({
  scene: z.string(),
  line: z.int().min(0),
  speaker: z.string(),
  text: z.string(),
  /** Project paths of what is on the stage; empty for nothing. */
  background: z.string(),
  music: z.string(),
  figures: z.array(StageFigure),
  /** Of the background, and of the whole picture; absent for one that is as it was put. */
  looks: z.object({ background: StageLook.optional(), stage: StageLook.optional() }).optional(),
  variables: z.record(z.string(), StoryValue),
  /** Those that scripts set with `-global`: the engine keeps them for all stories of the game. Absent for none. */
  globals: z.record(z.string(), StoryValue).optional(),
});
export type StageShown = z.infer<typeof StageShown>;

/** What came of an order to the running story. */
export const StageReply = z.object({
  /** Null: the stage shows the result. */
  failure: StageFailure.nullable(),
  /** What is on the stage now; null if the engine does not say. */
  shown: StageShown.nullable(),
  /** The menu that is shown; empty for none. */
  choices: z.array(StageChoice),
});
export type StageReply = z.infer<typeof StageReply>;

/** Which engine the stage runs: the game's own, the app's, or that of the page which a running WebGAL Terre serves for the game. */
export const EngineChoice = z.enum(['own', 'bundled', 'terre']);
export type EngineChoice = z.infer<typeof EngineChoice>;

/** Where the game's own engine is: in its folder, or in WebGAL Terre's, which gives its games none. */
export const EngineOrigin = z.enum(['game', 'terre']);
export type EngineOrigin = z.infer<typeof EngineOrigin>;

/** Why the app's engine runs instead of the chosen one. `own`, `terre`: that did not start. `ended`: Terre ended, or has the game no more. */
export const EngineFailure = z.enum(['own', 'terre', 'ended']);
export type EngineFailure = z.infer<typeof EngineFailure>;

const StageEngine = z.object({
  /** The one that runs. */
  choice: EngineChoice,
  /** The engine that is not the app's; null if there is none. */
  own: z.object({ version: z.string(), from: EngineOrigin }).nullable(),
  /** The version of the app's. */
  bundled: z.string(),
  failure: EngineFailure.nullable(),
});

/**
 * A place before the requested line from which more than one way leads there: a menu, or with line 0 the beginning of the scene, to
 * which the story comes from several others.
 */
const StageFork = z.object({
  path: z.string(),
  line: z.int().min(0),
  /** The options that lead there, as the player sees them; for line 0 the paths of the scenes. */
  options: z.array(z.string()).max(100),
  /** Which of them the stage takes, and whether the user said so. */
  taken: z.int().min(0),
  isChosen: z.boolean(),
});
export type StageFork = z.infer<typeof StageFork>;

/** What the stage assumed to come to the requested line. */
const StageWay = z.object({
  /** Values that it set because the conditions in these lines need them. */
  values: z.array(z.object({ name: z.string(), value: StoryValue, path: z.string(), line: z.int().min(1) })),
  /**
   * Why the line is shown without a way that leads to it. `line`: nothing in the scene leads there. `condition`: no values were
   * found that the condition needs. `too-long`: the scene has too many branches. `scene`: nothing leads to the scene from the
   * start. `far`: too many scenes lie before it.
   */
  failure: z
    .object({
      reason: z.enum(['line', 'condition', 'too-long', 'scene', 'far']),
      path: z.string(),
      line: z.int().min(1),
      condition: z.string(),
    })
    .nullable(),
});
export type StageWay = z.infer<typeof StageWay>;

/**
 * Playing back the choices that the user had made, to the sentence that was on the stage or the one before. `playing`: it runs, or the
 * story is played on to its next choice. Otherwise why the
 * story stopped before that sentence: `gone`: the choice is not in the menu any more; `new-menu`: the story asks for a choice that
 * was never made; `stopped`: the user stopped it, or the story does not go on.
 */
const StageReplay = z.object({
  state: z.enum(['playing', 'gone', 'new-menu', 'stopped']),
  /** The text of the choice that is gone; empty for the others. */
  choice: z.string(),
});
export type StageReplay = z.infer<typeof StageReplay>;

export const StageState = z.object({
  /** `off`: no game open. `starting`: the engine loads. `ready`: it responds. `lost`: it stopped responding. */
  status: z.enum(['off', 'starting', 'ready', 'lost']),
  /** The engine's URL for the page's frame: loopback, a separate origin, ends with `/`. Null when off. */
  url: z.string().nullable(),
  /** The place last requested. */
  place: StagePlace.nullable(),
  /** True once the engine has reached `place`. */
  isAtPlace: z.boolean(),
  shown: StageShown.nullable(),
  /**
   * The nearest lines before and after the requested one at which the player stops; absent until a scene is requested.
   */
  steps: z.object({ previous: z.int().min(1).nullable(), next: z.int().min(1).nullable() }).optional(),
  /** True once the story was played on from the requested line; absent before. */
  hasMovedOn: z.literal(true).optional(),
  problems: z.array(StageProblem),
  /** Where the way to the requested line divides. Absent or empty for none. */
  forks: z.array(StageFork).optional(),
  /** Absent unless the stage assumed something, or found no way. */
  way: StageWay.optional(),
  /** Absent unless the story is played back, or stopped on the way. */
  replay: StageReplay.optional(),
  /** Absent unless the story was played from the start of the game. */
  route: StageRoute.optional(),
  /** What the user recorded until the stage was sent to another line; absent once it is dismissed, or another recording begins. */
  endedRoute: StageRoute.optional(),
  /** Whether a WebGAL Terre runs that has the game. */
  isInTerre: z.boolean().optional(),
  /** Absent where the app's engine is the only one. `terre` can be chosen while `isInTerre`. */
  engine: StageEngine.optional(),
});
export type StageState = z.infer<typeof StageState>;

export const stageEvents = {
  'stage.changed': StageState,
  /** The host stopped the game on the stage, which wrote to its console without end (`messages`), or needed too much memory. */
  'stage.stopped': z.object({ reason: z.enum(['messages', 'memory']) }),
  /** The other text beside the stage; null while nothing is compared. */
  'stage.besideChanged': z.object({ stage: StageState.nullable() }),
} as const;
