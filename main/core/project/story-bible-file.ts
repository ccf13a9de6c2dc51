import { AppError } from '../../../shared/errors.ts';
import { projectTexts } from '../../../shared/i18n/project.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import { STORY_BIBLE_LIMIT, STORY_BIBLE_PATH } from '../../../shared/model/story-bible.ts';
import type { Reader } from '../ports/reader.ts';

/** Returns the heading of a new story bible. */
export function toBibleHeading(locale: Locale): string {
  return projectTexts.translate(locale, 'storyBible');
}

/** Reads the part of the story bible that the model receives; null when it is missing or unreadable. */
export async function readStoryBible(reader: Reader): Promise<string | null> {
  try {
    const { text } = await reader.read(STORY_BIBLE_PATH);
    if (text.trim() === '') return null;
    return text.length > STORY_BIBLE_LIMIT ? `${text.slice(0, STORY_BIBLE_LIMIT)}\n[the rest is left out]` : text;
  } catch (error) {
    // Missing or not text: the assistant works without it.
    if (error instanceof AppError) return null;
    throw error;
  }
}
