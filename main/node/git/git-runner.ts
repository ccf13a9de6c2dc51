import path from 'node:path';
import { simpleGit } from 'simple-git';
import { AppError } from '../../../shared/errors.ts';

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

/**
 * Settings by which a repository can make Git run a program or connect, each without effect. `:` is no editor to Git. Command
 * lines win over every file.
 */
const SAFE_SETTINGS = [
  ...['core.fsmonitor=false', 'core.pager=cat', 'core.editor=:', 'sequence.editor=:', 'core.askPass='],
  ...['core.sshCommand=false', 'core.gitProxy=', 'credential.helper=', 'core.alternateRefsCommand='],
  ...['diff.external=', 'interactive.diffFilter=', 'protocol.allow=never'],
  // A file to read, which can be a pipe; and what finding a renamed file may cost (squared: 4,096 files are compared with it).
  ...['diff.orderFile=/dev/null', 'diff.renameLimit=64'],
  ...['gpg.program=false', 'gpg.ssh.program=false', 'gpg.x509.program=false', 'gpg.ssh.defaultKeyCommand='],
  ...['commit.gpgSign=false', 'tag.gpgSign=false', 'log.showSignature=false'],
  ...['gc.auto=0', 'maintenance.auto=false', 'submodule.recurse=false', 'status.submoduleSummary=false'],
  ...['safe.bareRepository=explicit', 'i18n.commitEncoding=UTF-8', 'i18n.logOutputEncoding=UTF-8'],
];

const GIT_VARIABLES = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Wins over every `protocol.*.allow`; no protocol has this name.
  GIT_ALLOW_PROTOCOL: 'none',
};

export interface GitRunnerOptions {
  /** The absolute path of Git. */
  program: string;
  /** Without variables of Git. */
  environment: Readonly<Record<string, string>>;
  /** An empty folder that only the app writes to. */
  hooks: string;
  signal: AbortSignal;
  timeout?: number;
  maxOutput?: number;
}

export interface GitRun {
  folder: string;
  /** `name=value` in addition to the standard ones. */
  settings?: readonly string[];
  input?: string;
  /** Milliseconds; instead of the standard limit. */
  timeout?: number | undefined;
  /** Receives the output as bytes, also that of a command that is stopped. */
  collect?: ((chunk: Buffer) => void) | undefined;
}

/** Returns a function that runs one command of Git with nothing that a repository names. */
export function createGitRunner(options: GitRunnerOptions) {
  const { program, environment, hooks, signal, timeout = TIMEOUT_MS, maxOutput = MAX_OUTPUT_BYTES } = options;
  return async (args: readonly string[], run: GitRun): Promise<string> => {
    const { folder, settings = [], input, collect } = run;
    const limit = new AbortController();
    const time = AbortSignal.timeout(Math.min(timeout, run.timeout ?? timeout));
    const stop = AbortSignal.any([signal, limit.signal, time]);
    if (stop.aborted) throw toTimeout();
    let bytes = 0;
    const git = simpleGit({
      baseDir: folder,
      binary: [program],
      config: [`core.hooksPath=${hooks}`, ...SAFE_SETTINGS, ...settings],
      abort: stop,
      allowEnvironment: Object.keys(GIT_VARIABLES),
      // The library refuses these settings because they usually turn programs on. Here each turns one off.
      unsafe: {
        ...{ allowUnsafeCustomBinary: true, allowUnsafeHooksPath: true, allowUnsafeFsMonitor: true },
        ...{ allowUnsafePager: true, allowUnsafeEditor: true, allowUnsafeAskPass: true, allowUnsafeSshCommand: true },
        ...{ allowUnsafeGitProxy: true, allowUnsafeCredentialHelper: true, allowUnsafeDiffExternal: true },
        ...{ allowUnsafeGpgProgram: true, allowUnsafeProtocolOverride: true, allowUnsafeFilter: true },
      },
      ...(input !== undefined && { input: () => input }),
    });
    git.env({ ...environment, LC_ALL: 'C', ...GIT_VARIABLES });
    git.outputHandler((_command, out) => {
      out.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxOutput) limit.abort();
        else collect?.(chunk);
      });
    });
    try {
      return await git.raw(['--no-pager', '--no-optional-locks', ...args]);
    } catch (error) {
      if (bytes > maxOutput) throw new AppError('E_TOO_LARGE', 'Git answered too much.', { reason: 'git.tooLarge' });
      if (stop.aborted) throw toTimeout();
      throw toGitError(error);
    }
  };
}

export type RunGit = ReturnType<typeof createGitRunner>;

function toTimeout(): AppError {
  return new AppError('E_TIMEOUT', 'Git was stopped before it had finished.', { reason: 'git.unreadable' });
}

/** The words of Git contain absolute paths: only the cause is kept. */
function toGitError(error: unknown): AppError {
  const words = error instanceof Error ? error.message : '';
  const options = { cause: error };
  if (/dubious ownership/.test(words)) {
    return new AppError('E_UNSUPPORTED', 'The repository belongs to another account.', {
      ...options,
      reason: 'git.owner',
    });
  }
  if (/\.lock'?: File exists/.test(words)) {
    return new AppError('E_CONFLICT', 'Another program is using the repository.', { ...options, reason: 'git.busy' });
  }
  return new AppError('E_IO', 'Git reported an error.', { ...options, reason: 'git.unreadable' });
}

/** Returns where a game lies in its repository: a path with `/` at its end, or blank for the top. */
export function toPrefix(top: string, root: string): string {
  const relative = path.relative(top, root).split(path.sep).join('/');
  return relative === '' ? '' : `${relative}/`;
}
