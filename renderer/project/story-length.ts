import { findCommand, SAY } from '../../shared/script/commands.ts';
import { scanScene } from '../../shared/script/scan.ts';

/** How much there is to read. `characters` are Chinese, Japanese or Korean ones; `words` are those of other scripts. */
export interface StoryLength {
  characters: number;
  words: number;
}

const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;
/** `[text](reading)` shows its text; `{name}` shows a value nobody knows yet. */
const MARKUP = /\[([^\]]*)\]\([^)]*\)|\{[^}]*\}/g;

const CHARACTERS_PER_MINUTE = 400;
const WORDS_PER_MINUTE = 200;

const intro = findCommand('intro');

/** What a reader of the scene reads: dialogue, narration and intro pages; neither commands nor comments. */
export function measureScene(text: string): StoryLength {
  const length = { characters: 0, words: 0 };
  for (const statement of scanScene(text)) {
    if (statement.command !== SAY && statement.command !== intro) continue;
    const shown = statement.content.replace(MARKUP, '$1');
    length.characters += shown.match(IDEOGRAPHS)?.length ?? 0;
    length.words += shown.replace(IDEOGRAPHS, ' ').match(WORDS)?.length ?? 0;
  }
  return length;
}

/** Whole minutes at an easy pace; a story that has any text takes at least one. */
export function toMinutes({ characters, words }: StoryLength): number {
  return Math.ceil(characters / CHARACTERS_PER_MINUTE + words / WORDS_PER_MINUTE);
}
