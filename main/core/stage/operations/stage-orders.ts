import type { StagePose } from '../../../../shared/model/stage/stage-look.ts';
import type { StageBack, TakenWay } from '../../../../shared/model/stage/stage-orders.ts';
import type { StageReply, StoryValue } from '../../../../shared/model/stage.ts';

/** Orders to the running story. Those that reply do so within two seconds unless they say otherwise, and never reject. */
export interface StageOrders {
  /** Asks the running engine what it shows. */
  look(): Promise<StageReply>;
  step(): Promise<StageReply>;
  /** Goes to the stop before the present one, on the way that the player took. */
  back(): StageBack;
  /** Plays on until the story waits for a choice or a text. Replies when it does, or was stopped by `way.stopReplay`. */
  skip(): Promise<StageReply>;
  /** Chooses an option of the shown menu, counted from 1. */
  choose(option: number): Promise<StageReply>;
  /** `isGlobal`: the one that is kept for all stories. */
  setVariable(name: string, value: StoryValue, isGlobal?: boolean): Promise<StageReply>;
  /** Tries how something looks with another pose, until the story changes it or the stage comes to the line again. */
  pose(target: string, pose: StagePose): Promise<StageReply>;
  /** Hides the text box, or shows it again. */
  toggleTextBox(): Promise<StageReply>;
  /** By which way the stage comes to its line. */
  readonly way: {
    /** Takes another way where it divides before the requested line, and remembers it for the scene. */
    take(way: TakenWay): void;
    /** Stops playing back the user's choices, or on to the next choice, where the story is. */
    stopReplay(): void;
    /** Begins the game anew and records what the player does; false ends the recording and keeps the route. */
    record(isRecording: boolean): void;
  };
}
