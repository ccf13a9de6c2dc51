import type { Locale } from '../../../shared/model/local-text.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { Hold, StopReason } from './stage-focus.ts';
import type { StageStatus } from './stage-store.ts';

/** What the stage shows, as drawn in the panel or in a window of its own. */
export interface StagePictureState {
  /** The engine's address; null without a game. */
  url: string | null;
  /** Incremented to load a page anew that does not answer. */
  attempt: number;
  /** Width to height. */
  ratio: readonly [number, number];
  isMuted: boolean;
  status: StageStatus;
  /** The line of a proposal that is on the stage; null for the saved text. */
  badge: string | null;
  /** True while the story is played back to its sentence, out of sight. */
  isReplaying: boolean;
}

/** Everything that the window of the stage is told: it has no connection to the app. */
export interface StageWindowState {
  picture: StagePictureState;
  holds: readonly Hold[];
  stoppedFor: StopReason | null;
  game: string;
  locale: Locale;
  theme: Settings['theme'];
}

/** What the window of the stage can ask for: the buttons on its picture. */
export type StageWindowOrder =
  | { kind: 'reload' }
  | { kind: 'stop-replay' }
  /** The game was stopped or started again in that window. */
  | { kind: 'stopped'; reason: StopReason | null };

/** The query of the page's address that makes it the stage's window. */
export const STAGE_WINDOW_QUERY = '?window=stage';
/** The first message of that window; the port that comes with it is the only way between the two. */
export const STAGE_WINDOW_READY = 'webgal-agent.stage-window';
