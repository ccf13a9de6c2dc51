import type { StagePose } from '../../../shared/model/stage/stage-look.ts';
import type { StageChoice, StageFailure, StoryValue } from '../../../shared/model/stage.ts';

/** The texts of this many jumps are kept: a busy engine still reports of them, and a story may return into them. */
export const MAX_PAST_JUMPS = 16;

/** Whose text a report is about. A busy engine still reports of the jump before the last one. */
export interface ReportedJump {
  /** True for the last jump. */
  jumped: boolean;
  /** The number of the jump; absent for a scene of the game, and for a jump without a text of its own. */
  jump?: number;
}

/** What the running engine shows, in its own terms. */
export interface EngineState extends ReportedJump {
  /** The scene file that it loaded last, relative to game/scene; null before the first. May have the query of a jump. */
  file: string | null;
  /** The engine's name of the scene, which need not be a file, and the number of its lines that have run. */
  scene: string;
  line: number;
  stage: Record<string, unknown>;
  /** The variables that scripts set for all stories, where the page knows them. */
  globals?: Record<string, StoryValue> | undefined;
  /** The options that are shown, in order; empty without a menu. */
  choices: StageChoice[];
  /** True while the game asks for a text, such as a name. */
  hasInput: boolean;
  isOnTitle: boolean;
  /** False while the text box is hidden: by the player, the app or the script. */
  hasTextBox: boolean;
}

export type DriverReply =
  | { done: true; state: EngineState }
  | { done: false; reason: StageFailure; state: EngineState | null };

/**
 * Drives the running engine, whichever protocol it speaks. `done` means that the engine shows the result; every other case has a
 * reason within two seconds. Orders are carried out one after another. Where several pages show the stage, one acts: the visible
 * one that connected last.
 */
export interface StageDriver {
  readState(): Promise<DriverReply>;
  /** Goes to the next line at which the player stops. */
  step(): Promise<DriverReply>;
  /** Chooses an option of the menu, counted from 1 as it is shown. */
  choose(option: number): Promise<DriverReply>;
  /** Types a text for which the game asks, and confirms it; blank for the game's own default. */
  type(text: string): Promise<DriverReply>;
  /** Sets a variable of the running story, or one that is kept for all stories. Null: takes its value away. */
  setVariable(name: string, value: StoryValue | null, isGlobal?: boolean): Promise<DriverReply>;
  /** Changes the pose of what the engine calls `target`. `ignored`: the engine has no such thing on the stage. */
  setPose(target: string, pose: StagePose): Promise<DriverReply>;
  /** Hides the text box, or shows it again. `ignored`: the script itself hides it. */
  toggleTextBox(): Promise<DriverReply>;
  /**
   * Returns what the engine's page shows, drawn by the page itself: a JPEG in base64, at most 1,024 pixels wide and high; null without
   * one in time. The game can forge it, as it decides what it shows.
   */
  takePicture(): Promise<string | null>;
}
