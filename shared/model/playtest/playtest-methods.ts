import { z } from 'zod';
import { method } from '../../method.ts';
import { ChangedFile } from '../snapshot.ts';
import { PlayedScene, PlaytestRequest, PlaytestResult, PlaytestState } from './playtest-state.ts';
import { RouteRequest, StoryTestsFile, TestsChange } from './story-tests-file.ts';
import { TriedRoute } from './tried-route.ts';

const nothing = z.strictObject({});

/** The methods of the contract about the playtest of the open game. */
export const playtestMethods = {
  'playtest.state': method(nothing, z.object({ playtest: PlaytestState.nullable() })),
  /**
   * Starts a run and returns at once. `E_CONFLICT` (`playtest.running`) while one runs, also one of the assistant. The state tells why a
   * run has no result: to go on, `E_NOT_FOUND` (`playtest.noneKept`) and `E_CONFLICT` (`playtest.gameChanged`).
   */
  'playtest.start': method(PlaytestRequest, nothing),
  /** Pauses the run when the present route has ended; nothing happens without a run. */
  'playtest.pause': method(nothing, nothing),
  'playtest.resume': method(nothing, nothing),
  /** Ends the run; its result is what was played so far. */
  'playtest.stop': method(nothing, nothing),
  /** The last result of this game since it was opened. */
  'playtest.result': method(nothing, z.object({ result: PlaytestResult.nullable() })),
  /** Null for a scene of which the last run played every line, or that it does not know. */
  'playtest.scene': method(
    z.strictObject({ path: z.string().max(5_000) }),
    z.object({ scene: PlayedScene.nullable() }),
  ),
  /** The whole last report as a file. `E_NOT_FOUND` (`playtest.noResult`) before there is one. */
  /** The tests of the story as they are on the disk; `fault`: why the file cannot be used, as it is written. */
  'playtest.tests': method(nothing, StoryTestsFile),
  /**
   * Writes `story-tests.json` at once, as one undo step. `E_CONFLICT`: the file changed since `version` was read; `playtest.testName`:
   * another test has the name; `playtest.testsUnsaved`: its text in the editor is not saved. `E_BAD_ARGS` (`playtest.badTests`): the
   * file is not valid. Nothing is written then.
   */
  'playtest.changeTests': method(TestsChange, z.object({ files: z.array(ChangedFile) })),
  /**
   * Plays one route without a window and returns what it reached; errors as of a playtest. `playtest.stop` ends it with `E_TIMEOUT`
   * (`playtest.stopped`).
   */
  'playtest.tryRoute': method(RouteRequest, TriedRoute),
  'playtest.export': method(z.strictObject({ format: z.enum(['json', 'junit']) }), z.object({ text: z.string() })),
} as const;

export const playtestEvents = {
  /** The run or its result changed; at most ten times a second. */
  'playtest.changed': z.object({ playtest: PlaytestState.nullable() }),
} as const;
