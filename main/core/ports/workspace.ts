import type { Browsed, FolderListing, Project, RecentProject } from '../../../shared/model/project.ts';
import type { EngineOrigin } from '../../../shared/model/stage.ts';
import type { EngineTraits } from '../../../shared/script/engine/engine.ts';
import type { Commands } from './commands.ts';
import type { PlaytestPorts } from './engine-pages.ts';
import type { LocalBrowser } from './local-browser.ts';
import type { RotatedLog, SessionLogs } from './logs.ts';
import type { Reader } from './reader.ts';
import type { Terre } from './stage/terre.ts';
import type { ClosableStageLink, StageLink } from './stage-link.ts';
import type { ApprovalStore } from './stores/approval-store.ts';
import type { Assets } from './stores/assets.ts';
import type { Checkpoints } from './stores/checkpoints.ts';
import type { Git } from './stores/git.ts';
import type { Pictures } from './stores/pictures.ts';
import type { SavedPlanFiles } from './stores/saved-plan-files.ts';
import type { SkillFiles } from './stores/skill-files.ts';
import type { Transactions } from './transactions.ts';
import type { ViewerDoor } from './viewer/viewer-door.ts';
import type { Snapshots, Writer } from './writer.ts';

/** The policy file of a game (`.webgal_agent/policy.json`). */
export interface PolicyFile {
  /** Returns null if the file does not exist. Throws if it cannot be read as text: too large, a link, not UTF-8. */
  read(): Promise<string | null>;
}

/** The engine of a game. `engine` is null unless the game contains one that could be read. */
export type GameEngine = Pick<Project, 'engineVersion'> & { engine: EngineTraits | null };

/**
 * What one program keeps of a game for the case that it is killed, in the app's folder, where no game can place one. Each
 * program that has the game open stores its own; what a program that has ended left is returned to the next that reads.
 */
export interface ProgramFile {
  /** Returns what is stored, or its text if that is damaged; null if there is nothing. */
  read(): Promise<unknown>;
  /** Replaces what is stored; null removes it. Resolves when it is on disk. */
  write(value: unknown): Promise<void>;
  /** Leaves what was read as it is: what is written next goes to another file. */
  leave(): Promise<void>;
  /**
   * Passes `takeOver` what each other program left that has ended, one after another. What it returns stays for the next program;
   * null removes it. One that cannot be read is passed over; rejects with its error after the last.
   */
  takeOthers(takeOver: (value: unknown) => Promise<unknown>): Promise<void>;
}

/** The ports of one open game. */
export interface Workspace {
  project: Project;
  reader: Reader;
  writer: Writer;
  snapshots: Snapshots;
  checkpoints: Checkpoints;
  sessions: SessionLogs;
  pictures: Pictures;
  assets: Assets;
  audit: RotatedLog;
  transactions: Transactions;
  policyFile: PolicyFile;
  /** The user's own change while it waits for review. */
  reviewFile: ProgramFile;
  /** Text that could not be saved for a while. */
  unsavedFile: ProgramFile;
  approvals: ApprovalStore;
  skillFiles: SkillFiles;
  savedPlans: SavedPlanFiles;
  stage: StageLink;
  /** Creates a link of its own to a second engine, which plays beside the stage. The caller closes it. */
  openStageBeside(): ClosableStageLink;
  playtest: PlaytestPorts;
  /** The engine that is not the app's: in the game's folder, if it contains one that can run, or in that of its Terre. */
  ownEngine?: { version: string; from: EngineOrigin };
  /** Absent where the host has no previews in other programs. */
  terre?: Terre;
  git: Git;
  commands: Commands;
  browser: LocalBrowser;
  viewerDoor: ViewerDoor;
  /** Returns those of the files that cannot be written, and folders of the game in which nothing can. Blank: all can. */
  findUnwritable(paths: readonly string[]): Promise<string[]>;
  /** Subscribes to paths that changed on disk, in debounced batches. Includes the app's own writes. */
  watch(listener: (paths: string[]) => void): () => void;
  /** Calls `listener` once if the system cannot watch the folder and changes are found by polling, seconds late. */
  onPolling(listener: () => void): void;
  /** Calls `listener` once if the folder has more entries than are watched. */
  onLeftOut(listener: () => void): void;
  close(): Promise<void>;
}

export type Located =
  | { status: 'game'; folder: string }
  | { status: 'choose'; games: { folder: string; name: string }[] };

/** Finds and opens games. A `folder` is an opaque handle; only ids cross the contract. */
export interface Projects {
  recents(): Promise<RecentProject[]>;
  forgetRecent(id: string): Promise<void>;
  /** Returns the folder of an id from the recent games or a listing. Throws `E_NOT_FOUND` if it no longer exists. */
  resolve(id: string): Promise<string>;
  /** Returns an id for a folder that the host picked. */
  identify(folder: string): string;
  /** Finds one or several games in a folder. Throws `E_NOT_FOUND` with reason `project.noGame` if there is none. */
  locate(folder: string): Promise<Located>;
  open(folder: string): Promise<Workspace>;
  /** Returns the folder's name if the folder is empty and can take a new game; else null. */
  emptyName(folder: string): Promise<string | null>;
  /** Writes a new game into an empty folder, all files or none. Throws `E_CONFLICT` (`project.notEmpty`) otherwise. */
  create(folder: string, files: readonly { path: string; text: string }[]): Promise<void>;
  browse(browsed?: Browsed): Promise<FolderListing>;
  /** Copies the sample game to a folder of the user and returns it. Returns an existing copy unchanged unless `fresh`. */
  sample(options: { fresh: boolean }): Promise<string>;
}
