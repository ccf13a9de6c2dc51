import type { FolderListing, Project, RecentProject } from '../../shared/model/project.ts';
import type { KeyState, ProviderId, Settings } from '../../shared/model/settings.ts';
import type { Snapshot, WriteOrigin } from '../../shared/model/snapshot.ts';
import type { UpdateProblem, UpdateSupport } from '../../shared/model/updates.ts';
import type { EngineTraits } from '../../shared/script/engine.ts';

/**
 * What the core needs of a machine. `node/` implements these; tests hand over memory versions of the outermost ones
 * (model, secrets, clock) and use the real ones on temp folders for the rest. Every port throws `AppError` only.
 */

export interface FileInfo {
  /** Relative to the project root, `/` between names. */
  path: string;
  bytes: number;
  isDirectory: boolean;
}

export interface TextFile {
  path: string;
  /** The file's text as it stands: byte order mark and line endings included. */
  text: string;
  /** sha-256 (hex) of the bytes. */
  version: string;
  bytes: number;
}

/** Looks for a regular expression in the lines of texts. */
export interface TextSearch {
  /** A folder with all that is below it, or one file. */
  path: string;
  /** Relative to the folder; all files when left out. */
  glob?: string;
  regex: string;
  flags: string;
  /** Lets a match run over lines. */
  multiline?: boolean;
  /** Lines to show before and after a match. */
  before?: number;
  after?: number;
  maxMatches: number;
  /** Texts that stand in for what lies on the disk, by project path; null: no such file. */
  instead?: ReadonlyMap<string, string | null>;
  signal: AbortSignal;
}

export interface SearchMatch {
  path: string;
  line: number;
  preview: string;
  /** There when lines around were asked for. */
  before?: string[];
  after?: string[];
}

/** What changed in the folder `game`, files and folders alike. */
export interface GameChanges {
  /** Names the state that was found; to be passed to the next call. */
  now: number;
  /** Each path once; null when everything may have changed. */
  changes: readonly GameChange[] | null;
}

export interface GameChange {
  path: string;
  /** Whether a file is there now. */
  isFile: boolean;
}

/** Reads inside one project. Refuses forbidden names and links that leave (`E_DENY_PATH`). */
export interface Reader {
  /**
   * Sorted by path; forbidden folders are left out; links that leave are left out. `E_NOT_FOUND` when there is no such
   * folder. `unportable`: also plain files whose names other systems cannot have; nothing else can be done with these.
   * Where there are more than `maxEntries` (100,000 when left out): `E_TOO_LARGE`; with `onLeftOut` it is called with that
   * number, and those nearest to the top are listed.
   */
  list(
    path: string,
    options?: {
      recursive?: boolean;
      unportable?: boolean;
      maxEntries?: number;
      onLeftOut?: (listed: number) => void;
      signal?: AbortSignal;
    },
  ): Promise<FileInfo[]>;
  /** Null when there is nothing. */
  stat(path: string): Promise<FileInfo | null>;
  /** Strict UTF-8 (`E_ENCODING`), regular files only, at most `maxBytes` (default 5 MiB, `E_TOO_LARGE`). */
  read(path: string, options?: { maxBytes?: number }): Promise<TextFile>;
  /**
   * Sorted by path; each line once. Pictures, sounds and what is not UTF-8, too large or closed to us is passed over. A
   * pattern has a deadline: `E_TIMEOUT` within a second, `E_BAD_ARGS` for a bad one.
   */
  search(request: TextSearch): Promise<SearchMatch[]>;
  /**
   * What changed in the folder `game` since the state `since` (null: none is known), so that what was read of it can be
   * kept. Complete: whatever another program did before the call is in it. Null, or left out, where that is not known.
   */
  changes?(since: number | null): Promise<GameChanges | null>;
  /** Where a path really leads inside the project, links followed, as the disk spells it; null when nothing is there. */
  locate?(path: string): Promise<string | null>;
}

/** One file to change. `base` is the version the text was made from: null means the file must not exist yet. */
export interface Change {
  path: string;
  /** Null removes the file. */
  text: string | null;
  base: string | null;
  /** The snapshot whose text this puts back, so that the history knows what is undone. */
  restores?: string;
}

export interface WriteLabel {
  origin: WriteOrigin;
  /** Binds snapshots that belong together: a turn, an editing spell, a restore. */
  group: string;
  /** What the history shows, in the writer's words. */
  title: string;
  /** A repeated call with the same key, path and request changes nothing and is answered as the first was. */
  idempotencyKey?: string;
  /** What the key stands for when that is not simply the text, such as an append; another request is `E_BAD_ARGS`. */
  request?: string;
}

export interface Written {
  path: string;
  /** Null when the file was removed. */
  version: string | null;
  snapshotId: string;
  bytes: number;
}

/**
 * The only way anything of the writer's is changed. All of the changes or none: base versions are checked first
 * (`E_CONFLICT` with `details.paths`), every text before is snapshotted, a journal makes a crash recoverable, each
 * file is replaced atomically. A change that changes nothing writes nothing; only the assistant's is snapshotted all
 * the same, for the tool contract promises it a snapshot, while others' are left out of the answer.
 */
export interface Writer {
  apply(changes: readonly Change[], label: WriteLabel): Promise<Written[]>;
}

export interface Snapshots {
  /** How many texts of a file are kept, per origin. */
  retention: number;
  /** Newest first; damaged entries are skipped. */
  list(filter?: { pathPrefix?: string; limit?: number }): Promise<Snapshot[]>;
  /** The kept text; null when the file did not exist. `E_NOT_FOUND`, `E_PARSE_FAIL`. */
  read(id: string): Promise<{ snapshot: Snapshot; text: string | null }>;
}

/** Regular expressions, away from the main thread and with a deadline: `E_TIMEOUT` within a second, `E_BAD_ARGS` for a bad one. */
export interface Matcher {
  replace(request: {
    text: string;
    regex: string;
    flags: string;
    replacement: string;
    signal: AbortSignal;
  }): Promise<{ text: string; count: number }>;
}

/** An append-only JSON-lines file of the app's own in the project (`.webgal_agent/`). */
export interface LogFile {
  /** Appends one line. With `durable` it is on the disk when this resolves; the audit log's is right after. */
  append(entry: unknown, durable: boolean): Promise<void>;
  /** Appends several lines in one write: when it fails, none of them counts as written. */
  appendAll(entries: readonly unknown[], durable: boolean): Promise<void>;
  /** Every whole line; a torn tail is dropped, a damaged line is skipped and counted. */
  read(): Promise<{ entries: unknown[]; damaged: number }>;
}

/** Some lines of a log, newest first. */
export interface LogPiece {
  /** `isForeign`: this installation did not write the line, or it was changed since. */
  lines: { entry: unknown; isForeign: boolean }[];
  /** Lines that cannot be read. */
  damaged: number;
}

/** A log that grows into several files: what is old moves on, and in the end out. */
export interface RotatedLog extends LogFile {
  /**
   * Makes sure that lines can be appended, and throws when they cannot. `setAside`: what something is called now that was
   * no file and lay in the log's place; told once.
   */
  ready(): Promise<{ setAside: string | null }>;
  /** All lines, newest first, a few hundred kilobytes at a time. */
  history(): AsyncIterable<LogPiece>;
}

/** The rules a game brings along (`.webgal_agent/policy.json`). */
export interface RulesFile {
  /** Null when there are none. Throws when something is there that cannot be read as text: too large, a link, not UTF-8. */
  read(): Promise<string | null>;
}

/** The log of one conversation. Each line is sealed by this installation and chained to the one before. */
export interface SessionLogFile extends Pick<LogFile, 'append' | 'appendAll'> {
  /**
   * Passes every whole line to `take`, oldest first and one at a time; `enough` ends that, while the seals are still
   * checked to the end. A torn tail is dropped. `isForeign`: some line was not written here, or a line was changed, moved
   * or removed; of such a log only the beginning is passed on, and nothing in it may be acted upon.
   */
  read(take: (entry: unknown) => 'enough' | undefined): Promise<{ damaged: number; isForeign: boolean }>;
}

export interface SessionLogs {
  open(session: string): SessionLogFile;
  /** Newest first. */
  list(): Promise<{ session: string; modifiedAt: number }[]>;
  /**
   * Has a conversation to itself, among all programs, from now until `release`; asked again, makes sure that it still does.
   * `E_CONFLICT` with reason `project.heldElsewhere` while another program has it.
   */
  claim(session: string): Promise<void>;
  release(session: string): Promise<void>;
}

/** Serves the engine with the project over it, and speaks to the engine that runs in the page. */
export interface StageLink {
  /** Starts the server if it is not running. Loopback, a port of its own. */
  start(): Promise<{ url: string }>;
  /** Texts served instead of the disk's, by project path. */
  setOverlay(texts: ReadonlyMap<string, string>): void;
  /**
   * Asks the engine to show a scene (relative to game/scene) after running the first `line` lines of it. With `text` the
   * engine gets that in place of the scene, for this jump alone; fetched any other way, the scene stays as it is. Kept
   * until an engine is there, and asked for again when the page has loaded anew.
   */
  jump(scene: string, line: number, text?: string): void;
  /** Makes the page's frame load the engine anew. A page whose scripts hang does not. */
  reload(): void;
  /** Drops every engine and serves the game at another origin, so that browsers start it in another process. */
  move(): Promise<{ url: string }>;
  on(listener: (event: StageEvent) => void): () => void;
}

export type StageEvent =
  | { kind: 'connected' }
  | { kind: 'disconnected' }
  /** What the engine shows after running `line` lines of `scene`. `jumped`: it plays what the last jump asked for. */
  | { kind: 'snapshot'; scene: string; line: number; jumped: boolean; stage: Record<string, unknown> }
  /** A file the engine asked for and that is not there; path relative to the project. */
  | { kind: 'missing'; path: string }
  /** The engine's own words: an error or warning it logged, something it threw, an address outside that was refused. */
  | { kind: 'trouble'; level: 'error' | 'exception' | 'warning' | 'blocked'; text: string };

/** A script of the game's own that was started, as it stands now. */
export interface CommandTask {
  /** Its handle for `stop`. */
  id: string;
  /** The system's number of the process that leads the others. */
  pid: number;
  /** Word for word what was started, arguments included. */
  command: string;
  name: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  running: boolean;
  /** Null while it runs, and when it was ended from outside. */
  exitCode: number | null;
  /** Where it serves, once it said so; always this machine's own address. */
  url: string | null;
  /** The last lines it wrote, without colours and control characters. */
  logs: string[];
}

/**
 * Runs the game's own scripts in the project's folder, with next to nothing of this process's environment. Everything a
 * script started ends with it: processes of its own too, and when the host ends in whatever way.
 */
export interface Commands {
  /** How long a script may take that is waited for, in milliseconds. */
  timeout: number;
  /** The text of the game's `package.json` as it lies on disk: a draft of it is none of the game's yet. Throws as `Reader.read` does. */
  manifest(): Promise<string>;
  /** The same file's text as it lay there when the game was opened; null when it could not be read then. */
  manifestAtStart(): Promise<string | null>;
  /**
   * Starts `command` in the system's shell, `args` added as words of their own. `wait`: until it has ended, until it
   * serves or has ended, or not at all; what still runs then is a background task. `E_TIMEOUT` with the last lines in
   * `details.logs`; `E_UNSUPPORTED` when a program it needs is not installed; `E_BAD_ARGS` for arguments that cannot be
   * passed safely.
   */
  run(request: {
    name: string;
    command: string;
    args: readonly string[];
    wait: 'end' | 'ready' | 'none';
    signal: AbortSignal;
  }): Promise<CommandTask>;
  /** Those that run, and the last ones that ended; newest first. */
  tasks(): CommandTask[];
  /** Ends a task and all it started. `E_NOT_FOUND`. */
  stop(id: string): Promise<CommandTask>;
  /** Ends everything. */
  close(): Promise<void>;
}

/** What stands in the browser's page. */
export interface PageView {
  url: string;
  title: string;
  /** Errors the page wrote or threw, and addresses that were refused, since the last look. */
  problems: string[];
}

/**
 * A browser without a window that reaches this machine and nothing else. Started at the first `open`
 * (`E_UNSUPPORTED` when there is none), ended with the host or when nobody used it for a while.
 */
export interface LocalBrowser {
  /** How long one action may take, in milliseconds. */
  timeout: number;
  /** `E_POLICY_VIOLATION` for an address elsewhere, `E_PREVIEW_FAIL` when nothing answers, `E_TIMEOUT`. */
  open(url: string, signal: AbortSignal): Promise<PageView>;
  /** `E_BAD_ARGS` while no page is open or for a selector that is none; `E_TIMEOUT` when nothing there can be clicked. */
  click(selector: string, signal: AbortSignal): Promise<PageView>;
  /** Takes a picture into `.webgal_agent/screenshots` and says where it lies. `name` is a bare file name ending in .png. */
  screenshot(name: string, signal: AbortSignal): Promise<{ path: string }>;
  close(): Promise<void>;
}

/** Keeps something of a game for one program at a time, on whatever machine it runs. */
export interface Lease {
  /**
   * Takes it, if it is not held here already. A holder that no longer lives is replaced; while one does, `E_CONFLICT` with
   * reason `project.heldElsewhere`, whose details say who and since when.
   */
  take(): Promise<void>;
  /** Makes sure before something that depends on it: taken if it was not, `E_CONFLICT` when it was lost meanwhile. */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
}

/** The engine a game runs on. `engine` is null unless the game brings one along that could be read. */
export type GameEngine = Pick<Project, 'engineVersion'> & { engine: EngineTraits | null };

/** Everything bound to one open game. */
export interface Workspace {
  project: Project;
  reader: Reader;
  writer: Writer;
  snapshots: Snapshots;
  sessions: SessionLogs;
  audit: RotatedLog;
  rules: RulesFile;
  stage: StageLink;
  commands: Commands;
  browser: LocalBrowser;
  /** Hears paths that changed on disk, gathered over a moment. The app's own writes are heard too. */
  watch(listener: (paths: string[]) => void): () => void;
  /** Calls back once, at once or later, when the system cannot watch the folder and changes are found seconds late. */
  onPolling(listener: () => void): void;
  /** Calls back once, at once or later, when there is more in the folder than is watched. */
  onLeftOut(listener: () => void): void;
  close(): Promise<void>;
}

export type Located =
  | { status: 'game'; folder: string }
  | { status: 'choose'; games: { folder: string; name: string }[] };

/** Finds and opens games. A `folder` is an opaque handle of the machine's; only ids cross the contract. */
export interface Projects {
  recents(): Promise<RecentProject[]>;
  forgetRecent(id: string): Promise<void>;
  /** The folder behind a recent's or a listing's id. `E_NOT_FOUND` when it is gone. */
  resolve(id: string): Promise<string>;
  /** Hands out an id for a folder the host picked. */
  identify(folder: string): string;
  /** What lies there: a game, several, or `E_NOT_FOUND` saying what was looked for (reason `project.noGame`). */
  locate(folder: string): Promise<Located>;
  open(folder: string): Promise<Workspace>;
  /** The folder's name where nothing is in it, so that a game may begin there; else null. */
  emptyName(folder: string): Promise<string | null>;
  /** Writes a new game into an empty folder, whole or not at all. `E_CONFLICT` (`project.notEmpty`) where something is. */
  create(folder: string, files: readonly { path: string; text: string }[]): Promise<void>;
  browse(id?: string): Promise<FolderListing>;
  /** Copies the sample to a folder of the writer's and returns it; an existing copy is used as it is, unless `fresh`. */
  sample(options: { fresh: boolean }): Promise<string>;
}

export interface SettingsStore {
  read(): Promise<Settings>;
  write(settings: Settings): Promise<void>;
}

/** The origin (scheme, host, port) each provider is reached at; none for one without an address. */
export type ServiceOrigins = ReadonlyMap<ProviderId, string>;

/** Keys go in and are used by the model client; nothing of the core can read one. A key is bound to one origin. */
export interface Secrets {
  state(origins: ServiceOrigins): Promise<KeyState>;
  /** Binds the key to the provider's origin; `E_BAD_ARGS` with reason `keys.noAddress` when it has none. */
  set(provider: ProviderId, key: string, origins: ServiceOrigins): Promise<KeyState>;
  forgetAll(origins: ServiceOrigins): Promise<KeyState>;
}

/** Messages as `ai` shapes them, kept verbatim (reasoning included): some providers refuse a history that lost any. */
export interface ModelMessage {
  role: 'user' | 'assistant' | 'tool';
  content: unknown;
  providerOptions?: unknown;
}

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  inputSchema: Record<string, unknown>;
}

export interface ModelRequest {
  instructions: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  signal: AbortSignal;
}

export interface ModelToolCall {
  id: string;
  name: string;
  /** Parsed JSON; undefined when the model sent something that is not JSON (`invalid` then says so). */
  input: unknown;
  invalid?: string;
}

/** One step of a model. After an `error` nothing follows. `done.messages` is what the step adds to the history. */
export type ModelEvent =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'call'; call: ModelToolCall }
  | { kind: 'done'; messages: ModelMessage[]; finish: string; usage: { input: number; cached: number; output: number } }
  /** `problem` is a name from the closed list in `errors:model.*`; `retryable` when nothing was said yet and a second try may help. */
  | { kind: 'error'; problem: string; detail: string; retryable: boolean };

/** The assistant's mind for one session; never throws, failures are `error` events. */
export interface Model {
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

export interface Models {
  /** The model of the settings. `E_UNSUPPORTED` with reason `model.noProvider` or `model.noKey` when there is none. */
  current(): Promise<Model>;
  test(
    provider: ProviderId,
  ): Promise<
    { status: 'ok'; model: string; milliseconds: number } | { status: 'failed'; problem: string; detail: string }
  >;
}

/** What a host alone can do. */
export interface Host {
  kind: 'electron' | 'web';
  platform: string;
  systemLocale: string;
  /** The system's folder dialog; null when the host has none. */
  pickFolder: (() => Promise<string | null>) | null;
  /** True after a start without the last game and with a window as on the first day. */
  isSafeMode: boolean;
  /** What a report of a failure needs: versions by name, and the last lines of the app's log, which hold no text of a game. */
  details(): Promise<{ versions: Record<string, string>; log: string[] }>;
  /** Ends the app and starts it again, out of safe mode; null when the host cannot. */
  restart: (() => Promise<void>) | null;
  openLink(url: string): Promise<void>;
}

/** What a feed answered. `notes` is text of the feed, in any shape. */
export type UpdateFinding =
  | { kind: 'same' }
  | { kind: 'older' | 'unsupported'; version: string }
  | { kind: 'newer'; version: string; notes: string }
  | { kind: 'failed'; problem: UpdateProblem };

/** New versions of the app, on a host that can install them. Nothing here rejects for what a feed or a network does. */
export interface Updates {
  support: UpdateSupport;
  /** The release page, for people. */
  page: string;
  /** What earlier runs left: when a check last found nothing newer, and a version whose installation failed. */
  readKept(): Promise<{ checkedAt: number | null; notInstalled: string | null }>;
  keepCheck(at: number): Promise<void>;
  /** Asks the feed at the address; null: the project's release page. */
  check(feed: string | null): Promise<UpdateFinding>;
  /** Downloads and verifies what the last check found. Resolves to what went wrong, or null. */
  download(onProgress: (percent: number) => void, signal: AbortSignal): Promise<UpdateProblem | null>;
  /** Puts the downloaded version in the place of this one. The process ends right after. A failure is kept for the next start. */
  install(version: string): Promise<void>;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** A fresh id, unguessable. */
  id(): string;
}

export interface Ports {
  host: Host;
  projects: Projects;
  settings: SettingsStore;
  secrets: Secrets;
  models: Models;
  matcher: Matcher;
  /** Null on a host without updates. */
  updates: Updates | null;
  clock: Clock;
  version: string;
}
