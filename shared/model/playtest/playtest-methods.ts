import { z } from 'zod';
import { PlayedScene, PlaytestRequest, PlaytestResult, PlaytestState } from './playtest-state.ts';

const toMethod = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });
const nothing = z.strictObject({});

/** The methods of the contract about the playtest of the open game. */
export const playtestMethods = {
  'playtest.state': toMethod(nothing, z.object({ playtest: PlaytestState.nullable() })),
  /** Starts a run and returns at once. `E_CONFLICT` (`playtest.running`) while one runs, also one of the assistant. */
  'playtest.start': toMethod(PlaytestRequest, nothing),
  /** Pauses the run when the present route has ended; nothing happens without a run. */
  'playtest.pause': toMethod(nothing, nothing),
  'playtest.resume': toMethod(nothing, nothing),
  /** Ends the run; its result is what was played so far. */
  'playtest.stop': toMethod(nothing, nothing),
  /** The last result of this game since it was opened. */
  'playtest.result': toMethod(nothing, z.object({ result: PlaytestResult.nullable() })),
  /** Null for a scene of which the last run played every line, or that it does not know. */
  'playtest.scene': toMethod(
    z.strictObject({ path: z.string().max(5_000) }),
    z.object({ scene: PlayedScene.nullable() }),
  ),
  /** The whole last report as a file. `E_NOT_FOUND` (`playtest.noResult`) before there is one. */
  'playtest.export': toMethod(z.strictObject({ format: z.enum(['json', 'junit']) }), z.object({ text: z.string() })),
} as const;

export const playtestEvents = {
  /** The run or its result changed; at most ten times a second. */
  'playtest.changed': z.object({ playtest: PlaytestState.nullable() }),
} as const;
