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
