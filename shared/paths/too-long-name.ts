import { AppError } from '../errors.ts';

/** Creates the error for a new file with a name that most file systems cannot store. `path`: as the user or the model wrote it. */
export function toTooLongName(path: string): AppError {
  return new AppError('E_BAD_ARGS', `"${path.slice(0, 200).toWellFormed()}" is too long for the name of a file.`, {
    details: { path },
    hint: 'Use a shorter name.',
    reason: 'file.nameTooLong',
  });
}
