export interface FileInfo {
  /** Relative to the project root, `/` between names. */
  path: string;
  bytes: number;
  isDirectory: boolean;
}

export interface TextFile {
  path: string;
  /** The unmodified text, with byte order mark and original line endings; of a picture or a sound the line that stands for it. */
  text: string;
  /** SHA-256 (hex) of the bytes of the file. */
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
export interface ProjectChanges {
  /** Identifies the state that was read; pass it to the next call. */
  now: number;
  /** Each path once; null if everything may have changed. */
  changes: readonly ProjectChange[] | null;
}

export interface ProjectChange {
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
  /**
   * Reads a regular file as strict UTF-8 (else `E_ENCODING`), at most `maxBytes` (default 5 MiB, else `E_TOO_LARGE`). For a picture or
   * a sound (`isAssetName`), which may be larger, the text is the line that stands for it (`toAssetText`).
   */
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
  changes?(since: number | null): Promise<ProjectChanges | null>;
  /** Returns the real path inside the project: links resolved, spelled as on disk. Null if nothing exists there. */
  locate?(path: string): Promise<string | null>;
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
