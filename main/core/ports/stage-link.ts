/** Serves the engine with the project's files, and exchanges messages with the engine that runs in the page. */
export interface StageLink {
  /** Starts the server, on loopback and a separate port, if it is not running. */
  start(): Promise<{ url: string }>;
  /** Sets the texts that are served instead of those on disk, by project path. */
  setOverlay(texts: ReadonlyMap<string, string>): void;
  /**
   * Requests that the engine runs the first `line` lines of a scene (relative to game/scene) and shows the result. `text`
   * replaces the scene for this jump only; all other requests for the scene get its real text. The request is kept until an
   * engine is connected and is repeated when the page reloads.
   */
  jump(scene: string, line: number, text?: string): void;
  /** Requests the page's frame to reload the engine. Has no effect if scripts of the page hang. */
  reload(): void;
  /** Disconnects all engines and serves the game at another origin, so that browsers start it in a new process. */
  move(): Promise<{ url: string }>;
  on(listener: (event: StageEvent) => void): () => void;
}

export type StageEvent =
  | { kind: 'connected' }
  | { kind: 'disconnected' }
  /** The engine's state after `line` lines of `scene`. `jumped`: it plays the scene requested by the last jump. */
  | { kind: 'snapshot'; scene: string; line: number; jumped: boolean; stage: Record<string, unknown> }
  /** A file that the engine requested and that does not exist; path relative to the project. */
  | { kind: 'missing'; path: string }
  /** A message of the engine: a logged error or warning, an uncaught exception, a blocked external address. */
  | { kind: 'trouble'; level: 'error' | 'exception' | 'warning' | 'blocked'; text: string };
