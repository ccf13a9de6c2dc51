import { AppError } from '../../../shared/errors.ts';
import type { PlaytestEngine } from '../../../shared/model/playtest/report.ts';
import type { SeenMedia } from '../../../shared/model/playtest/seen-media.ts';

/** One page with the engine that no one sees. */
export interface EnginePage {
  /**
   * Calls a function of the player in the page (`node/playtest/page`) and resolves to its answer, which the game may have forged.
   * `within`: for how many ms the run can wait, where that is less than the call may take; an answer may be somewhat later.
   */
  call(name: 'ready' | 'restart' | 'advance' | 'choose', input: unknown, within?: number): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens pages for playtests, isolated like the stage. Throws `E_UNSUPPORTED` (`browser.none`) where no browser is installed. */
export interface EnginePages {
  open(url: string, signal: AbortSignal): Promise<EnginePage>;
}

/** How a host runs scripts in a page with the engine that no one sees. */
export interface ScriptPage {
  /** Runs a script in the page and resolves to the value of its promise. The game may have forged it. */
  evaluate(script: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens such pages. Throws as `EnginePages` does. */
export interface ScriptPages {
  open(url: string, signal: AbortSignal): Promise<ScriptPage>;
}

/** A game as it is served to the pages of one playtest. */
export interface PlaytestStage {
  /** The address of the engine's page. */
  url: string;
  /** Returns files that the engine requested and that do not exist, since the last call; paths relative to the project. */
  takeMissing(): string[];
  /** The pictures, sounds and films that the engine asked for so far, and that exist. */
  media(): SeenMedia;
  close(): void;
}

/** Which engines can play a game. */
export interface PlaytestEngines {
  /** Returns the version of the engine that came with the game; null if it has none that can run. */
  own(): Promise<string | null>;
  /** Returns the engines to try, in order; null for the usual ones. */
  order(): Promise<readonly PlaytestEngine[] | null>;
}

/** What a playtest needs of the machine. */
export interface PlaytestPorts {
  pages: EnginePages;
  engines: PlaytestEngines;
  /** Serves the game with an engine; `texts` replace files, by project path. */
  openStage(texts: ReadonlyMap<string, string>, engine: PlaytestEngine): Promise<PlaytestStage>;
  /** True for messages that engines log although nothing is wrong. */
  isIdleTalk(text: string): boolean;
}

/** What a page throws after its host has ended it, because it needed more memory than a game may have. */
export function toMemoryEnd(cause?: unknown): AppError {
  return new AppError('E_TIMEOUT', 'The game needed too much memory.', {
    hint: 'A script of the game may fill the memory without end, or its pictures and sounds are very large.',
    reason: 'playtest.memory',
    cause,
  });
}

export function isMemoryEnd(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'playtest.memory';
}
