import { AppError } from '../../../shared/errors.ts';

/** What a page of a playtest throws after its host has ended it, because it needed more memory than a game may have. */
export function toMemoryEnd(cause?: unknown): AppError {
  return new AppError('E_TIMEOUT', 'The game needed too much memory.', {
    hint: 'A script of the game may fill the memory without end, or its pictures and sounds are very large.',
    reason: 'playtest.memory',
    cause,
  });
}

export function isMemoryEnd(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'playtest.memory';
}
