import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { STORY_TESTS_PATH, type StoryTest, StoryTests } from '../../../shared/model/playtest/story-test.ts';
import type { Reader } from '../ports/reader.ts';

/** Reads the tests of a game; empty without a file. Throws `E_BAD_ARGS` (`playtest.badTests`) with the place of the mistake. */
export async function readStoryTests(reader: Pick<Reader, 'read'>): Promise<readonly StoryTest[]> {
  let text: string;
  try {
    ({ text } = await reader.read(STORY_TESTS_PATH));
  } catch (error) {
    if (error instanceof AppError && error.code === 'E_NOT_FOUND') return [];
    throw error;
  }
  return parseStoryTests(text);
}

/** Returns the tests of a file. Throws as `readStoryTests`. */
export function parseStoryTests(text: string): readonly StoryTest[] {
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw toProblem(cause instanceof Error ? cause.message : 'no JSON', cause);
  }
  const parsed = StoryTests.safeParse(data);
  if (parsed.success) return parsed.data.tests;
  throw toProblem(z.prettifyError(parsed.error).replace(/\s+/g, ' ').slice(0, 500), parsed.error);
}

function toProblem(why: string, cause: unknown): AppError {
  return new AppError('E_BAD_ARGS', `${STORY_TESTS_PATH} is not valid: ${why}`, {
    details: { path: STORY_TESTS_PATH, why },
    reason: 'playtest.badTests',
    cause,
  });
}
