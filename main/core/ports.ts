import type { FolderListing, Project, RecentProject } from '../../shared/model/project.ts';
import type { KeyState, ProviderId, Settings } from '../../shared/model/settings.ts';
import type { Snapshot, WriteOrigin } from '../../shared/model/snapshot.ts';

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

/** Reads inside one project. Refuses forbidden names and links that leave (`E_DENY_PATH`). */
export interface Reader {
  /** Sorted by path; forbidden folders are left out; links that leave are left out. `E_NOT_FOUND` when there is no such folder. */
  list(path: string, options?: { recursive?: boolean; signal?: AbortSignal }): Promise<FileInfo[]>;
  /** Null when there is nothing. */
  stat(path: string): Promise<FileInfo | null>;
  /** Strict UTF-8 (`E_ENCODING`), regular files only, at most `maxBytes` (default 5 MiB, `E_TOO_LARGE`). */
  read(path: string, options?: { maxBytes?: number }): Promise<TextFile>;
}

/** One file to change. `base` is the version the text was made from: null means the file must not exist yet. */
export interface Change {
  path: string;
  /** Null removes the file. */
  text: string | null;
  base: string | null;
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
  /** Newest first; damaged entries are skipped. */
  list(filter?: { pathPrefix?: string; limit?: number }): Promise<Snapshot[]>;
  /** The kept text; null when the file did not exist. `E_NOT_FOUND`, `E_PARSE_FAIL`. */
  read(id: string): Promise<{ snapshot: Snapshot; text: string | null }>;
}

export interface SearchMatch {
  path: string;
  line: number;
  preview: string;
}

/** Regular expressions, away from the main thread and with a deadline: `E_TIMEOUT` within a second, `E_BAD_ARGS` for a bad one. */
export interface Matcher {
  search(request: {
    files: readonly { path: string; text: string }[];
    regex: string;
    flags: string;
    maxMatches: number;
    signal: AbortSignal;
  }): Promise<SearchMatch[]>;
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
  /** Appends one line. With `durable` it is on the disk when this resolves. */
  append(entry: unknown, durable: boolean): Promise<void>;
  /** Appends several lines in one write: when it fails, none of them counts as written. */
  appendAll(entries: readonly unknown[], durable: boolean): Promise<void>;
  /** Every whole line; a torn tail is dropped, a damaged line is skipped and counted. */
  read(): Promise<{ entries: unknown[]; damaged: number }>;
}

export interface SessionLogs {
  open(session: string): LogFile;
  /** Newest first. */
  list(): Promise<{ session: string; modifiedAt: number }[]>;
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
  /** Makes the page's frame load the engine anew. */
  reload(): void;
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

/** Everything bound to one open game. */
export interface Workspace {
  project: Project;
  reader: Reader;
  writer: Writer;
  snapshots: Snapshots;
  sessions: SessionLogs;
  audit: LogFile;
  stage: StageLink;
  /** Hears paths that changed on disk, gathered over a moment. The app's own writes are heard too. */
  watch(listener: (paths: string[]) => void): () => void;
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
  browse(id?: string): Promise<FolderListing>;
  /** Copies the sample to a folder of the writer's and returns it; an existing copy is used as it is, unless `fresh`. */
  sample(options: { fresh: boolean }): Promise<string>;
}

export interface SettingsStore {
  read(): Promise<Settings>;
  write(settings: Settings): Promise<void>;
}

/** Keys go in and are used by the model client; nothing of the core can read one. */
export interface Secrets {
  state(): Promise<KeyState>;
  set(provider: ProviderId, key: string): Promise<KeyState>;
  forgetAll(): Promise<KeyState>;
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
  openLink(url: string): Promise<void>;
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
  clock: Clock;
  version: string;
}
