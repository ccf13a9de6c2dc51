import { AppError } from '../../../../shared/errors.ts';
import { SCENE_FOLDER, START_PATH } from '../../../../shared/script/project-index/project-facts.ts';
import { scanScene } from '../../../../shared/script/syntax/scan.ts';
import type { Reader } from '../../ports/reader.ts';

/** The languages that are recognised by their characters; English also by its most frequent words. */
export type StoryLanguage = 'zh' | 'ja' | 'ko' | 'ru' | 'en';

const MAX_SCENES = 8;
const MAX_SCENE_BYTES = 512 * 1024;
/** Characters of each scene, and the fewest letters of the whole sample that count. */
const SAMPLE = 6000;
const MIN_LETTERS = 20;
/** Share of the letters: a Chinese story may quote English, and a Japanese one is mostly Han characters. */
const MIN_KANA = 0.1;
const MIN_SHARE = 0.5;
const MIN_ENGLISH_WORDS = 0.08;

const ENGLISH = /\b(?:the|and|you|that|is|it|to|of|was|what|not|have|this|are|don['’]t|i['’]m)\b/gi;

/** Returns the language of the spoken lines of a few scenes; null when they do not show it. Reads the disk, not the drafts. */
export async function findStoryLanguage(reader: Reader): Promise<StoryLanguage | null> {
  const scenes = await listScenes(reader);
  const spoken: string[] = [];
  for (const path of scenes) spoken.push(await readSpoken(reader, path));
  return toLanguage(spoken.join('\n'));
}

/** Returns the language of a text. Pure. */
export function toLanguage(text: string): StoryLanguage | null {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const letters = count(/\p{L}/gu);
  if (letters < MIN_LETTERS) return null;
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(/\p{Script=Han}/gu);
  if (kana / letters >= MIN_KANA && (kana + han) / letters >= MIN_SHARE) return 'ja';
  if (han / letters >= MIN_SHARE) return 'zh';
  if (count(/\p{Script=Hangul}/gu) / letters >= MIN_SHARE) return 'ko';
  // Other languages with Cyrillic letters have letters that Russian lacks.
  if (count(/\p{Script=Cyrillic}/gu) / letters >= MIN_SHARE) return count(/[іїєґўјњљџђћ]/giu) === 0 ? 'ru' : null;
  const words = count(/\p{L}+/gu);
  return count(ENGLISH) / words >= MIN_ENGLISH_WORDS ? 'en' : null;
}

async function listScenes(reader: Reader): Promise<string[]> {
  try {
    const found = await reader.list(SCENE_FOLDER.slice(0, -1), { recursive: true, onLeftOut: () => undefined });
    const paths = found.filter(({ path, isDirectory, bytes }) => !isDirectory && path.endsWith('.txt') && bytes > 0);
    const sizes = paths.filter(({ bytes }) => bytes <= MAX_SCENE_BYTES).map(({ path }) => path);
    return [...new Set([...sizes.filter((path) => path === START_PATH), ...sizes])].slice(0, MAX_SCENES);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

async function readSpoken(reader: Reader, path: string): Promise<string> {
  try {
    const { text } = await reader.read(path, { maxBytes: MAX_SCENE_BYTES });
    return scanScene(text.slice(0, SAMPLE))
      .filter(({ command }) => command?.name === 'say')
      .map(({ content }) => content)
      .join('\n');
  } catch (error) {
    if (error instanceof AppError) return '';
    throw error;
  }
}
