import type { GitBlock, GitFile, GitRefusal, GitVersions } from '../../../../shared/model/git/git.ts';

/** What Git says about the files of the game. */
export type GitStatus =
  | { status: 'refused'; reason: GitRefusal }
  | {
      status: 'ready';
      branch: string | null;
      /** Files of the game that the app may name. */
      files: Omit<GitFile, 'isAccepted'>[];
      blocked: GitBlock | null;
      /** Time of the last commit in milliseconds; null: there is none. */
      committedAt: number | null;
    };

/**
 * The repository that the game is in. Nothing that the repository names is run: no hook, filter, editor or other program, and
 * nothing of the network. All methods throw `E_TIMEOUT` when closed or too slow.
 */
export interface Git {
  /** Returns null where there is no Git or no repository. */
  status(): Promise<GitStatus | null>;
  /**
   * Commits the present files, and nothing else that is staged. Throws `E_CONFLICT` or `E_UNSUPPORTED` with a reason `git.…`;
   * then there is no commit.
   */
  commit(request: { paths: readonly string[]; message: string }): Promise<{ id: string }>;
  /** Returns the commits that changed a file, newest first, also under its earlier names, as far as Git finds them in time. */
  versions(path: string, part: { skip: number; limit: number }): Promise<GitVersions>;
  /**
   * Returns the text of a file in a commit, by its name in it, and the first line of the commit's message; `text` null: there was no
   * such file. Throws `E_NOT_FOUND` where there is no such commit, `E_ENCODING`, `E_TOO_LARGE`, and `E_UNSUPPORTED` for a file that
   * needs a filter.
   */
  readVersion(id: string, name: string): Promise<{ text: string | null; title: string }>;
  /** Called when another program may have committed or changed the branch. */
  watch(listener: () => void): () => void;
  /** Ends what runs. */
  close(): Promise<void>;
}
