import { STORY_BIBLE_PATH } from '../../shared/model/story-bible.ts';
import { api } from '../api.ts';
import { showFile } from '../workflows/show-file.ts';

/** Opens the story bible in the editor; creates it with `text` if it does not exist. */
export async function openStoryBible(text: string): Promise<void> {
  try {
    await api.call('script.save', { path: STORY_BIBLE_PATH, text, version: null });
  } catch (error) {
    // It exists already and is opened unchanged.
    if ((error as { code?: unknown }).code !== 'E_CONFLICT') throw error;
  }
  showFile(STORY_BIBLE_PATH);
}
