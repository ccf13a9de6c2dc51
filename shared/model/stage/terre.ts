import { z } from 'zod';
import { method } from '../../method.ts';

/** What is wrong with the folder that the user chose for WebGAL Terre; the page shows `errors:terre.<problem>`. */
export const TerreFolderProblem = z.enum(['notAbsolute', 'elsewhere', 'gone', 'notTerre', 'notAllowed', 'inGame']);
export type TerreFolderProblem = z.infer<typeof TerreFolderProblem>;

export const TerreState = z.object({
  /** The program's folder as the user reads it, the home folder as `~`; null if none was found. */
  folder: z.string().nullable(),
  /** `chosen`: in the settings. `variable`: `WEBGAL_TERRE`. `usual`: where installers put it. Null if there is none. */
  source: z.enum(['chosen', 'variable', 'usual']).nullable(),
  /** Why the folder that the user chose is not used; no other is searched then. */
  problem: TerreFolderProblem.nullable(),
  port: z.int(),
  /**
   * `off`: no program answers. `other`: another program uses the port. `running`: a Terre that the app did not start.
   * `starting`, `started`: the one that the app started.
   */
  status: z.enum(['off', 'other', 'running', 'starting', 'started']),
});
export type TerreState = z.infer<typeof TerreState>;

/** The last lines of what Terre printed since the app started it. */
export const MAX_TERRE_LOG_LINES = 200;

const nothing = z.strictObject({});

/** The methods of the contract about WebGAL Terre, another editor on this computer. */
export const terreMethods = {
  /** Asks whether a Terre answers on its port. */
  'terre.state': method(nothing, TerreState),
  /** Opens the system's folder dialog and stores what the user picks. Throws as `terre.choose`. */
  'terre.pick': method(nothing, TerreState),
  /**
   * Stores the folder, or the program in it, that the user typed; null: the usual places. Throws `E_BAD_ARGS` with reason
   * `terre.<problem>`, and `E_UNSUPPORTED` for a folder where the host has a folder dialog: there only the user names one.
   */
  'terre.choose': method(z.strictObject({ folder: z.string().trim().min(1).max(4096).nullable() }), TerreState),
  /** Starts Terre; resolves when it answers. Throws `E_PREVIEW_FAIL` with a reason `terre.…`. */
  'terre.start': method(nothing, TerreState),
  /** Ends the Terre that the app started, and no other. */
  'terre.stop': method(nothing, TerreState),
  /** What Terre printed since the app started it last. */
  'terre.log': method(nothing, z.object({ lines: z.array(z.string()).max(MAX_TERRE_LOG_LINES) })),
} as const;

export const terreEvents = {
  /** The Terre that the app started began to answer or ended, or another folder was chosen. */
  'terre.changed': nothing,
} as const;
