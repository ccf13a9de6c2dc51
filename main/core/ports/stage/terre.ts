import type { TerreState } from '../../../../shared/model/stage/terre.ts';

/** WebGAL Terre, another editor that may run on this machine. Only what changes nothing there. */
export interface Terre {
  /** Returns whether a Terre runs that has the game: both programs would write the same files. */
  hasGame(signal: AbortSignal): Promise<boolean>;
  /**
   * Shows a line of a scene, given relative to the scene folder, in Terre's preview; starts Terre where the host can. Throws
   * `E_PREVIEW_FAIL` with a hint when no preview can show it.
   */
  show(scene: string, line: number, signal: AbortSignal): Promise<{ url: string; logs: string[] }>;
}

/** The program as it is installed on this machine. One for the whole app; the folder that the user chose is in the settings. */
export interface TerreProgram {
  state(): Promise<TerreState>;
  /**
   * Returns the real folder of the program for what the user picked or typed: its folder, or the program itself. Throws
   * `E_BAD_ARGS` with reason `terre.<problem>`.
   */
  check(typed: string): Promise<string>;
  /**
   * Starts Terre unless one answers; resolves when it does. Throws `E_PREVIEW_FAIL`: none is installed, the chosen folder cannot
   * be used, another program has the port, or it did not start.
   */
  start(signal: AbortSignal): Promise<void>;
  /** Ends the Terre that the app started. */
  stop(): Promise<void>;
  /** The last lines of its output. */
  readLog(): Promise<string[]>;
  /** Subscribes to changes of the Terre that the app started. */
  on(listener: () => void): () => void;
}
