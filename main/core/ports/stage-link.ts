import type { EngineChoice, StoryValue } from '../../../shared/model/stage.ts';
import type { ReportedJump, StageDriver } from './stage-driver.ts';

/** Serves the engine with the project's files, and exchanges messages with the engine that runs in the page. */
export interface StageLink {
  /**
   * Starts the server, on loopback and a separate port, if it is not running. Throws `E_PREVIEW_FAIL` if the engine to serve has no
   * page, or no Terre has the game.
   */
  start(): Promise<{ url: string }>;
  /** Chooses the engine that is served, from the next start or move on. */
  serveEngine(choice: EngineChoice): void;
  /** Sets the texts that are served instead of those on disk, by project path. */
  setOverlay(texts: ReadonlyMap<string, string>): void;
  /**
   * Requests that the engine runs the first `line` lines of a scene (relative to game/scene) and shows the result. `text`
   * replaces the scene for this jump only; all other requests for the scene get its real text. The request is kept until an
   * engine is connected and is repeated when the page reloads. Returns the jump's number, by which reports name it.
   */
  jump(scene: string, line: number, text?: string): number;
  /** Returns whether the engine has asked for the file, or one in this folder, since the stage was opened: else it knows nothing of it. */
  hasAsked(path: string): boolean;
  /** Has the engine load the styles of its template anew, without a restart. Resolves to false if it does not in two seconds. */
  reloadStyles(): Promise<boolean>;
  /** Requests the page's frame to reload the engine. Has no effect if scripts of the page hang. */
  reload(): void;
  /** Disconnects all engines and serves the game at another origin, so that browsers start it in a new process. Throws as `start`. */
  move(): Promise<{ url: string }>;
  on(listener: (event: StageEvent) => void): () => void;
  /** The operations of the engine that runs. */
  driver: StageDriver;
}

/** A link that is created while a game is open. */
export interface ClosableStageLink extends StageLink {
  close(): Promise<void>;
}

export type StageEvent =
  /** The engine's page is requested. */
  | { kind: 'page' }
  | { kind: 'connected' }
  | { kind: 'disconnected' }
  /** The engine's state after `line` lines of `scene`. `jumped`: it plays the scene requested by the last jump. */
  | ({ kind: 'snapshot'; scene: string; line: number; stage: Record<string, unknown> } & ReportedJump)
  /** Variables that scripts set for all stories, whenever one changed; none before the first report of a page. */
  | { kind: 'globals'; globals: Record<string, StoryValue> }
  /** The player chose an option of a menu, or the app did. `nth`: of the options with this text that could be chosen, from 1. */
  | { kind: 'chose'; text: string; nth: number }
  /** The player typed a text for the game, or the app did; blank for the game's own default. */
  | { kind: 'typed'; text: string }
  /**
   * Terre moved the story: to `line` of a scene relative to game/scene, or with null to a text of its own. Reports that follow are not
   * of the app's last jump.
   */
  | { kind: 'led'; scene: string | null; line: number }
  /** Terre, whose page the stage plays, closed its connection. */
  | { kind: 'terre-lost' }
  /** The game shows its title: the story ended, or the player left it. */
  | { kind: 'title' }
  /** A file that the engine requested and that does not exist; path relative to the project. */
  | { kind: 'missing'; path: string }
  /** The same for a picture, sound or film that no browser can read. */
  | { kind: 'unreadable'; path: string }
  | StageTrouble;

/**
 * A message of the engine: a logged error or warning, an uncaught exception, a blocked external address. `endless`: the story jumps
 * between labels without end. `empty-menu`: it shows a menu without options. `at`: the scene's file and the number of its lines that had
 * run, where that is known.
 */
export interface StageTrouble {
  kind: 'trouble';
  level: 'error' | 'exception' | 'warning' | 'blocked' | 'endless' | 'empty-menu';
  text: string;
  at?: { file: string; line: number } & ReportedJump;
}
