import { z } from 'zod';
import { method } from '../../method.ts';
import { StagePlace, StageReply, StageState, StoryValue } from '../stage.ts';
import { StagePose } from './stage-look.ts';

const nothing = z.strictObject({});

/** An option of a place in `forks` of the stage. */
const TakenWay = z.strictObject({
  path: z.string().max(1_000),
  line: z.int().min(0),
  option: z.int().min(0).max(99),
});
export type TakenWay = z.infer<typeof TakenWay>;

/**
 * How the stage goes back. `played`: the way that the player took is played again, while `replay` says `playing`. `line`: it was sent to
 * `place`. `none`: there is no stop before.
 */
const StageBack = z.strictObject({ going: z.enum(['played', 'line', 'none']), place: StagePlace.nullable() });
export type StageBack = z.infer<typeof StageBack>;

/** The orders to the stage about the story that runs on it. Part of the contract, which joins it. */
export const stageOrders = {
  /** Takes another way where it divides before the requested line, and remembers it for the scene. */
  'stage.takeWay': method(TakenWay, nothing),
  /** Stops playing back, or on to the next choice, where the story is. */
  'stage.stopReplay': method(nothing, nothing),
  /** Begins the game anew and records what the user does; false ends the recording and keeps the route. */
  'stage.record': method(z.strictObject({ isRecording: z.boolean() }), nothing),
  /** Plays the other text beside the stage, or ends that. Has no effect without a proposal. The result arrives as event. */
  'stage.compare': method(z.strictObject({ isOn: z.boolean() }), nothing),
  'stage.beside': method(nothing, z.object({ stage: StageState.nullable() })),
  /** Orders to the running story. They answer within two seconds: with what the stage shows then, or with a failure. */
  'stage.look': method(nothing, StageReply),
  'stage.step': method(nothing, StageReply),
  /**
   * Plays the running story on until it waits for a choice or a text; answers when it does, or was stopped. `title`: no story runs;
   * `no-choice`: it ended before.
   */
  'stage.skip': method(nothing, StageReply),
  /** Goes to the stop before the present one. The result arrives as stage state. */
  'stage.back': method(nothing, StageBack),
  /** Chooses an option of the menu, counted from 1. */
  'stage.choose': method(z.strictObject({ option: z.int().min(1).max(100) }), StageReply),
  'stage.setVariable': method(
    z.strictObject({ name: z.string().min(1).max(200), value: StoryValue, isGlobal: z.boolean().optional() }),
    StageReply,
  ),
  /**
   * Tries how something on the stage looks with another pose: until the story changes it, or the stage comes to the line again. `target`:
   * the engine's name of it.
   */
  'stage.pose': method(z.strictObject({ target: z.string().min(1).max(200), pose: StagePose }), StageReply),
  /** Hides the text box, or shows it again; the next click on the stage shows it, too. */
  'stage.toggleTextBox': method(nothing, StageReply),
};
