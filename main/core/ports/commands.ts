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
