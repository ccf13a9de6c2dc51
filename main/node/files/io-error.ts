import { AppError } from '../../../shared/errors.ts';

/** System error codes that the user can act on, each with the reason in the message. */
const REASONS: Record<string, string> = {
  EACCES: 'file.noAccess',
  EPERM: 'file.noAccess',
  EROFS: 'file.noAccess',
  ENOSPC: 'file.diskFull',
  EDQUOT: 'file.diskFull',
  EBUSY: 'file.busy',
  ETXTBSY: 'file.busy',
  ENAMETOOLONG: 'file.nameTooLong',
  EMFILE: 'file.tooManyOpen',
  ENFILE: 'file.tooManyOpen',
};

/** What to do about each, for the model. */
const HINTS: Record<string, string> = {
  'file.noAccess': 'The user has to grant access to it first.',
  'file.diskFull': 'The user has to free disk space first.',
  'file.busy': 'Another program uses it; try again in a moment.',
  'file.nameTooLong': 'Use a shorter name.',
  'file.tooManyOpen': 'Try again in a moment.',
};

/** Returns the system's code of a caught error (`ENOENT`), or undefined for any other value. */
export function toSystemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function isMissing(error: unknown): boolean {
  const code = toSystemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export function toNotFound(path: string): AppError {
  return new AppError('E_NOT_FOUND', `There is no "${path}" in the project.`, {
    details: { path },
    hint: 'List the folder it should be in to see what is there.',
    reason: 'file.notFound',
  });
}

export function toFolderError(path: string): AppError {
  return new AppError('E_BAD_ARGS', `"${path}" is a folder, not a file.`, {
    details: { path },
    hint: 'Name a file in it.',
    reason: 'file.isFolder',
  });
}

export function toSpecialFileError(path: string): AppError {
  return new AppError('E_DENY_PATH', `"${path}" is not an ordinary file.`, {
    details: { path },
    hint: 'Only ordinary files can be used here.',
    reason: 'file.notRegular',
  });
}

/** Creates the error of a call that was cancelled. */
export function toStoppedError(what: string): AppError {
  return new AppError('E_TIMEOUT', `${what} was stopped.`, {
    hint: 'Call it again if the answer is still wanted, for less at a time.',
    reason: 'call.stopped',
  });
}

/**
 * Converts an error of the file system to an `AppError`. `path` is what the error names: a project path or a folder's
 * name, never an absolute path; the system's own message (which contains one) stays in `cause`.
 */
export function toIoError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  if (isMissing(error)) return toNotFound(path);
  const code = toSystemCode(error);
  if (code === 'ELOOP') {
    return new AppError('E_DENY_PATH', `"${path}" is a link or a cycle of links.`, {
      details: { path },
      hint: 'Use the file itself, by a path inside the project.',
      reason: 'path.link',
      cause: error,
    });
  }
  return new AppError('E_IO', `The system could not access "${path}"${code ? ` (${code})` : ''}.`, {
    details: { path, ...(code && { system: code }) },
    hint: HINTS[(code && REASONS[code]) ?? ''] ?? 'Try again; if it happens again, use another file or tell the user.',
    reason: (code && REASONS[code]) ?? 'file.io',
    cause: error,
  });
}
