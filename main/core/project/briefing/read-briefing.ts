import type { Locale } from '../../../../shared/model/local-text.ts';
import type { Reader } from '../../ports/reader.ts';
import type { Skills } from '../../skills/skills.ts';
import { readStoryBible } from '../story-bible-file.ts';
import { readScopedFacts } from './bible-scopes.ts';
import type { Briefing } from './briefing.ts';
import { readGameNotes } from './game-notes.ts';
import { findStoryLanguage, type StoryLanguage } from './story-language.ts';

/**
 * Creates the function that reads what the model is told about one game. `reader` reads the disk. The language of the story is
 * looked for until it is known, so that the instructions stay the same for a provider's cache.
 */
export function createBriefingReader(options: {
  title: string;
  reader: Reader;
  locale: () => Locale;
  skills: Pick<Skills, 'look'>;
}): () => Promise<Briefing> {
  const { title, reader, locale, skills } = options;
  let known: StoryLanguage | null = null;

  async function toLanguage(): Promise<StoryLanguage | null> {
    known ??= await findStoryLanguage(reader);
    return known;
  }

  return async () => {
    const [bible, notes, storyLanguage, { offered }] = await Promise.all([
      readStoryBible(reader),
      readGameNotes(reader),
      toLanguage(),
      skills.look(),
    ]);
    const scopes = await readScopedFacts(reader, bible);
    return { title, locale: locale(), storyLanguage, bible, scopes, notes, skills: offered };
  };
}
