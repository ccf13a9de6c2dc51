import { AppError } from '../../shared/errors.ts';

/** Returns the error of an action that must wait for the end of the assistant's turn. */
export function toBusyError(): AppError {
  return new AppError('E_CONFLICT', 'The assistant is still working.', {
    hint: 'Wait for it, or stop it first.',
    reason: 'chat.busy',
  });
}
