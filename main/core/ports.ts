import type { FolderListing, Project, RecentProject } from '../../shared/model/project.ts';
import type { KeyState, ProviderId, Settings } from '../../shared/model/settings.ts';
import type { Snapshot, WriteOrigin } from '../../shared/model/snapshot.ts';
import type { UpdateProblem, UpdateSupport } from '../../shared/model/updates.ts';
import type { EngineTraits } from '../../shared/script/engine/engine.ts';

/**
 * The interfaces through which the core uses the machine. `node/` implements them. Tests replace only the outermost
 * ones (model, secrets, clock) by in-memory versions and run the others on temporary folders. Every port throws
 * `AppError` only.
 */

export interface FileInfo {
  /** Relative to the project root, `/` between names. */
  path: string;
  bytes: number;
  isDirectory: boolean;
}

export interface TextFile {
  path: string;
  /** The unmodified text, with byte order mark and original line endings. */
  text: string;
  /** SHA-256 (hex) of the bytes. */
  version: string;
  bytes: number;
}

/** A search for a regular expression in text lines. */
export interface TextSearch {
  /** A folder, searched recursively, or one file. */
  path: string;
  /** Relative to the folder. Default: all files. */
  glob?: string;
  regex: string;
  flags: string;
  /** True if a match may span lines. */
  multiline?: boolean;
  /** Number of context lines before a match. */
  before?: number;
  after?: number;
  maxMatches: number;
  /** Texts searched instead of those on disk, by project path; null hides the file. */
  instead?: ReadonlyMap<string, string | null>;
  signal: AbortSignal;
}

export interface SearchMatch {
  path: string;
  line: number;
  preview: string;
  /** Present if context lines were requested. */
  before?: string[];
  after?: string[];
}

/** Changes in the folder `game`, files and folders alike. */
export interface GameChanges {
  /** Identifies the state that was read; pass it to the next call. */
  now: number;
  /** Each path once; null if everything may have changed. */
  changes: readonly GameChange[] | null;
}

export interface GameChange {
  path: string;
  /** True if a file exists at the path now. */
  isFile: boolean;
}

/** Reads files of one project. Rejects forbidden names and links that leave the project (`E_DENY_PATH`). */
export interface Reader {
  /**
   * Lists a folder, sorted by path, without forbidden folders and links that leave the project. Throws `E_NOT_FOUND` if
   * the folder does not exist. `unportable`: includes regular files whose names are invalid on other systems; no other
   * method accepts these. With more than `maxEntries` (default 100,000) entries, throws `E_TOO_LARGE`, or, if `onLeftOut`
   * is given, calls it with `maxEntries` and lists the entries nearest to the root.
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
  /** Returns null if the path does not exist. */
  stat(path: string): Promise<FileInfo | null>;
  /** Reads a regular file as strict UTF-8 (else `E_ENCODING`), at most `maxBytes` (default 5 MiB, else `E_TOO_LARGE`). */
  read(path: string, options?: { maxBytes?: number }): Promise<TextFile>;
  /**
   * Returns what `read` would, for many files and faster: one entry per path. Null where only `read` can tell: any file that
   * it may reject, and any other that would take long.
   */
  readTexts?(paths: readonly string[]): Promise<(Pick<TextFile, 'text' | 'bytes'> | null)[]>;
  /**
   * Returns matches sorted by path, each line once. Skips images, sounds, and files that are not UTF-8, too large or not
   * readable. Throws `E_TIMEOUT` for a pattern that takes too long (within one second), `E_BAD_ARGS` for an invalid one.
   */
  search(request: TextSearch): Promise<SearchMatch[]>;
  /**
   * Returns the changes in the folder `game` since the state `since` (null: no earlier state), for cache invalidation.
   * Complete: includes every change that other programs made before the call. Returns null, or is undefined, if that cannot
   * be guaranteed.
   */
  changes?(since: number | null): Promise<GameChanges | null>;
  /** Returns the real path inside the project: links resolved, spelled as on disk. Null if nothing exists there. */
  locate?(path: string): Promise<string | null>;
}

/** A change of one file. `base` is the version that the text is based on; null: the file must not exist. */
export interface Change {
  path: string;
  /** Null deletes the file. */
  text: string | null;
  base: string | null;
  /** The snapshot that this change restores; the history derives from it which changes are undone. */
  restores?: string;
}

export interface WriteLabel {
  origin: WriteOrigin;
  /** Groups snapshots of one turn, edit session or restore. */
  group: string;
  /** The title shown in the history, in the user's language. */
  title: string;
  /** A repeated call with the same key, path and request writes nothing and returns the first result. */
  idempotencyKey?: string;
  /** The request that the key identifies if it is not simply the text (an append); a different request is `E_BAD_ARGS`. */
  request?: string;
}

export interface Written {
  path: string;
  /** Null if the file was deleted. */
  version: string | null;
  snapshotId: string;
  bytes: number;
}

/**
 * Writes the user's files; no other code does. Applies all changes or none: checks base versions first (`E_CONFLICT` with
 * `details.paths`), takes a snapshot of every previous text, uses a journal for crash recovery and replaces each file
 * atomically. A change without effect writes nothing and is omitted from the result, except that a change by the assistant
 * still gets a snapshot, because the tool contract guarantees one.
 */
export interface Writer {
  apply(changes: readonly Change[], label: WriteLabel): Promise<Written[]>;
}

export interface Snapshots {
  /** Number of texts kept per file and origin. */
  retention: number;
  /** Returns snapshots, newest first; skips damaged entries. */
  list(filter?: { pathPrefix?: string; limit?: number }): Promise<Snapshot[]>;
  /** Returns the text; null if the file did not exist. Throws `E_NOT_FOUND` or `E_PARSE_FAIL`. */
  read(id: string): Promise<{ snapshot: Snapshot; text: string | null }>;
}

/** Runs regular expressions off the main thread. Throws `E_TIMEOUT` within one second, `E_BAD_ARGS` for an invalid one. */
export interface Matcher {
  replace(request: {
    text: string;
    regex: string;
    flags: string;
    replacement: string;
    signal: AbortSignal;
  }): Promise<{ text: string; count: number }>;
}

/** An append-only JSON-lines file of the app in the project folder (`.webgal_agent/`). */
export interface LogFile {
  /** Appends one line. With `durable` it is on disk when this resolves; a line of the audit log follows shortly after. */
  append(entry: unknown, durable: boolean): Promise<void>;
  /** Appends several lines in one write; if it fails, none of them counts as written. */
  appendAll(entries: readonly unknown[], durable: boolean): Promise<void>;
  /** Returns all complete lines; drops an incomplete last line, skips and counts damaged ones. */
  read(): Promise<{ entries: unknown[]; damaged: number }>;
}

/** A chunk of log lines, newest first. */
export interface LogPiece {
  /** `isForeign`: the line was written by another installation or modified since. */
  lines: { entry: unknown; isForeign: boolean }[];
  /** Number of unreadable lines. */
  damaged: number;
}

/** A log with rotation: old lines move to further files; the oldest file is deleted. */
export interface RotatedLog extends LogFile {
  /**
   * Throws if lines cannot be appended. `setAside`: the new name of an entry that was not a regular file and occupied the
   * log's path; reported once.
   */
  ready(): Promise<{ setAside: string | null }>;
  /** Yields all lines, newest first, in chunks of a few hundred kilobytes. */
  history(): AsyncIterable<LogPiece>;
}

/** The rules file of a game (`.webgal_agent/policy.json`). */
export interface PolicyFile {
  /** Returns null if the file does not exist. Throws if it cannot be read as text: too large, a link, not UTF-8. */
  read(): Promise<string | null>;
}

/** The log of one conversation. Each line has a signature of this installation and is chained to the previous line. */
export interface SessionLogFile extends Pick<LogFile, 'append' | 'appendAll'> {
  /**
   * Passes every complete line to `take`, one by one, oldest first, until it returns `enough`; signatures are checked to the end
   * of the log either way. Drops an incomplete last line. `isForeign`: a line was written by another installation, changed,
   * moved or removed. Of such a log only the lines before it are passed on, and callers must not act on any of them.
   */
  read(take: (entry: unknown) => 'enough' | undefined): Promise<{ damaged: number; isForeign: boolean }>;
}

export interface SessionLogs {
  open(session: string): SessionLogFile;
  /** Returns all sessions, newest first. */
  list(): Promise<{ session: string; modifiedAt: number }[]>;
  /**
   * Locks a conversation against other processes until `release`; a repeated call checks that the lock is still held.
   * Throws `E_CONFLICT` with reason `project.heldElsewhere` while another process holds it.
   */
  claim(session: string): Promise<void>;
  release(session: string): Promise<void>;
}

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

/** The state of a started script of the game. */
export interface CommandTask {
  /** The handle for `stop`. */
  id: string;
  /** The process ID of the process group leader. */
  pid: number;
  /** The complete command line, arguments included. */
  command: string;
  name: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  running: boolean;
  /** Null while it runs, and if it was killed. */
  exitCode: number | null;
  /** The address it serves at, once it printed one; always a loopback address. */
  url: string | null;
  /** The last lines of output, without colours and control characters. */
  logs: string[];
}

/**
 * Runs the game's own scripts in the project folder with a minimal environment. All processes that a script started are
 * killed when it ends and when the host ends, crashes included.
 */
export interface Commands {
  /** The timeout of a script that is waited for, in milliseconds. */
  timeout: number;
  /** Returns the game's `package.json` from disk, without drafts. Throws the errors of `Reader.read`. */
  manifest(): Promise<string>;
  /** Returns `package.json` as it was when the game was opened; null if it could not be read then. */
  manifestAtStart(): Promise<string | null>;
  /**
   * Starts `command` in the system's shell with `args` as separate arguments. `wait`: `end` waits until it exits, `ready`
   * until it serves or exits, `none` not at all; a script that still runs then is a background task. Throws `E_TIMEOUT` with
   * the last lines in `details.logs`, `E_UNSUPPORTED` if a required program is not installed, and `E_BAD_ARGS` for arguments
   * that cannot be passed safely.
   */
  run(request: {
    name: string;
    command: string;
    args: readonly string[];
    wait: 'end' | 'ready' | 'none';
    signal: AbortSignal;
  }): Promise<CommandTask>;
  /** Returns running tasks and the last ones that ended, newest first. */
  tasks(): CommandTask[];
  /** Kills a task and all processes it started. Throws `E_NOT_FOUND`. */
  stop(id: string): Promise<CommandTask>;
  /** Kills all tasks. */
  close(): Promise<void>;
}

/** The state of the browser's page. */
export interface PageView {
  url: string;
  title: string;
  /** Logged errors, uncaught exceptions and blocked addresses since the last call. */
  problems: string[];
}

/**
 * A headless browser restricted to loopback addresses. Started at the first `open` (`E_UNSUPPORTED` if none is installed),
 * closed with the host or after a period without calls.
 */
export interface LocalBrowser {
  /** The timeout of one action, in milliseconds. */
  timeout: number;
  /** Throws `E_POLICY_VIOLATION` for any other address, `E_PREVIEW_FAIL` if no server answers, `E_TIMEOUT`. */
  open(url: string, signal: AbortSignal): Promise<PageView>;
  /** Throws `E_BAD_ARGS` without an open page or for an invalid selector, `E_TIMEOUT` if no match can be clicked. */
  click(selector: string, signal: AbortSignal): Promise<PageView>;
  /** Saves a screenshot in `.webgal_agent/screenshots` and returns its path. `name` is a file name ending in .png. */
  screenshot(name: string, signal: AbortSignal): Promise<{ path: string }>;
  close(): Promise<void>;
}

/** An exclusive lease on a resource of a game, across processes and machines. */
export interface Lease {
  /**
   * Acquires the lease unless this process holds it. Replaces a dead holder. Throws `E_CONFLICT` with reason
   * `project.heldElsewhere` while another holder lives; `details` contain the holder and the start time.
   */
  take(): Promise<void>;
  /** Call before work that depends on the lease. Acquires it if it was never held; throws `E_CONFLICT` if it was lost. */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
}

/** The engine of a game. `engine` is null unless the game contains one that could be read. */
export type GameEngine = Pick<Project, 'engineVersion'> & { engine: EngineTraits | null };

/** The user's own change while it waits for review, in the app's folder, where no game can place one. */
export interface ReviewFile {
  /** Returns the stored change, or its text if that is damaged; null if there is none. */
  read(): Promise<unknown>;
  /** Replaces the stored change; null removes it. Resolves when it is on disk. */
  write(change: unknown): Promise<void>;
}

/** The ports of one open game. */
export interface Workspace {
  project: Project;
  reader: Reader;
  writer: Writer;
  snapshots: Snapshots;
  sessions: SessionLogs;
  audit: RotatedLog;
  rules: PolicyFile;
  reviewFile: ReviewFile;
  stage: StageLink;
  commands: Commands;
  browser: LocalBrowser;
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
  browse(id?: string): Promise<FolderListing>;
  /** Copies the sample game to a folder of the user and returns it. Returns an existing copy unchanged unless `fresh`. */
  sample(options: { fresh: boolean }): Promise<string>;
}

export interface SettingsStore {
  read(): Promise<Settings>;
  write(settings: Settings): Promise<void>;
}

/** The origin (scheme, host, port) of each provider; no entry for a provider without an address. */
export type ServiceOrigins = ReadonlyMap<ProviderId, string>;

/** Stores API keys for the model client; the core cannot read them. A key is bound to one origin. */
export interface Secrets {
  state(origins: ServiceOrigins): Promise<KeyState>;
  /** Binds the key to the provider's origin. Throws `E_BAD_ARGS` with reason `keys.noAddress` if it has none. */
  set(provider: ProviderId, key: string, origins: ServiceOrigins): Promise<KeyState>;
  forgetAll(origins: ServiceOrigins): Promise<KeyState>;
}

/** A message in the format of `ai`, kept verbatim: some providers reject a history without its reasoning parts. */
export interface ModelMessage {
  role: 'user' | 'assistant' | 'tool';
  content: unknown;
  providerOptions?: unknown;
}

export interface ModelTool {
  name: string;
  description: string;
  /** The JSON Schema of the arguments. */
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
  /** Parsed JSON; undefined if the model sent invalid JSON (`invalid` then has the reason). */
  input: unknown;
  invalid?: string;
}

/** An event of one model step. `error` is the last event. `done.messages` are the messages to add to the history. */
export type ModelEvent =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'call'; call: ModelToolCall }
  | { kind: 'done'; messages: ModelMessage[]; finish: string; usage: { input: number; cached: number; output: number } }
  /** `problem` is a key of `errors:model.*`. `retryable`: no output was sent yet and a retry may succeed. */
  | { kind: 'error'; problem: string; detail: string; retryable: boolean };

/** A model bound to one session. Never throws; failures are `error` events. */
export interface Model {
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

export interface Models {
  /** Returns the configured model. Throws `E_UNSUPPORTED` with reason `model.noProvider` or `model.noKey`. */
  current(): Promise<Model>;
  test(
    provider: ProviderId,
  ): Promise<
    { status: 'ok'; model: string; milliseconds: number } | { status: 'failed'; problem: string; detail: string }
  >;
}

/** Functions that only the host can provide. */
export interface Host {
  kind: 'electron' | 'web';
  platform: string;
  systemLocale: string;
  /** Opens the system's folder dialog; null if the host has none. */
  pickFolder: (() => Promise<string | null>) | null;
  /** True in safe mode: started without the last game and with the default window. */
  isSafeMode: boolean;
  /** Returns data for a problem report: versions by name and the last log lines, which contain no text of a game. */
  details(): Promise<{ versions: Record<string, string>; log: string[] }>;
  /** Restarts the app without safe mode; null if the host cannot. */
  restart: (() => Promise<void>) | null;
  openLink(url: string): Promise<void>;
}

/** The result of a feed request. `notes` is untrusted text of the feed in any format. */
export type UpdateFinding =
  | { kind: 'same' }
  | { kind: 'older' | 'unsupported'; version: string }
  | { kind: 'newer'; version: string; notes: string }
  | { kind: 'failed'; problem: UpdateProblem };

/** Updates of the app, on a host that can install them. Feed and network failures never reject. */
export interface Updates {
  support: UpdateSupport;
  /** The address of the release page. */
  page: string;
  /** Returns state of earlier runs: the last check without a newer version, and a version whose installation failed. */
  readKept(): Promise<{ checkedAt: number | null; notInstalled: string | null }>;
  keepCheck(at: number): Promise<void>;
  /** Requests the feed at the address; null: the project's release page. */
  check(feed: string | null): Promise<UpdateFinding>;
  /** Downloads and verifies the version that the last check found. Resolves to the problem, or null. */
  download(onProgress: (percent: number) => void, signal: AbortSignal): Promise<UpdateProblem | null>;
  /** Installs the downloaded version and ends the process. A failure is stored and reported at the next start. */
  install(version: string): Promise<void>;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Returns a new unguessable id. */
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
