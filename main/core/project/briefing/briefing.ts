import type { Locale } from '../../../../shared/model/local-text.ts';
import type { Skill } from '../../skills/skills.ts';
import type { ScopedFact } from './bible-scopes.ts';
import type { GameNote } from './game-notes.ts';
import type { StoryLanguage } from './story-language.ts';

/** What the model is told at the beginning of each request about one game. Texts of the game are quoted. */
export interface Briefing {
  title: string;
  /** The language of the app. */
  locale: Locale;
  /** The language of the scenes; null when they do not show it. */
  storyLanguage: StoryLanguage | null;
  /** The accepted story bible; null when there is none. */
  bible: string | null;
  /** In which scenes facts of the bible hold that are noted to hold from a scene on. */
  scopes: readonly ScopedFact[];
  /** The files beside the bible. */
  notes: readonly GameNote[];
  /** The skills that the model may read; of a game only those that the user allowed. */
  skills: readonly Pick<Skill, 'name' | 'description'>[];
}
