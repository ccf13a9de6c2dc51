import { AppError } from '../../../shared/errors.ts';
import { STORY_BIBLE_LIMIT, STORY_BIBLE_PATH } from '../../../shared/model/story-bible.ts';
import type { Locale } from '../../../shared/model/text.ts';
import type { Reader } from '../ports.ts';

/** The heading of a story bible that is made anew. */
export function toBibleHeading(locale: Locale): string {
  return locale === 'zh-CN' ? '故事设定集' : 'Story bible';
}

/** The story bible as it lies on disk, as much of it as the assistant is given; null when there is none to be read. */
export async function readStoryBible(reader: Reader): Promise<string | null> {
  try {
    const { text } = await reader.read(STORY_BIBLE_PATH);
    if (text.trim() === '') return null;
    return text.length > STORY_BIBLE_LIMIT ? `${text.slice(0, STORY_BIBLE_LIMIT)}\n[the rest is left out]` : text;
  } catch (error) {
    // None, or one that is no text: the assistant works without it, as it does in a new game.
    if (error instanceof AppError) return null;
    throw error;
  }
}
