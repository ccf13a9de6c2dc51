import { shorten } from '../../../../shared/text/shorten.ts';

/**
 * Facts of the story bible that hold from a scene on, as writers note them: “(from chapter2 on)”, “（从 chapter2 起）”, “（chapter2 から）”.
 * Only names of scenes that exist count, so an ordinary “from” has no effect.
 */
export interface BibleScope {
  /** The heading or line that has the note. */
  text: string;
  /** Project path of the scene. */
  from: string;
}

const MAX_TEXT = 80;
const MAX_SCOPES = 40;
const SCENES = 'game/scene/';

/** A name: letters, digits, folders, with or without quotation marks. */
const NAME = '[“”"\'`「『《〈]?([\\p{L}\\p{N}_./-]+?)[“”"\'`」』》〉]?';
// Language data: how a starting point is written in the languages of the app.
const NOTES = [
  new RegExp(
    `\\b(?:from|since|starting (?:with|from|in))\\s+(?:the\\s+)?(?:scene\\s+)?${NAME}(?:\\s+(?:on|onwards?)\\b|[\\s)\\],.;:]|$)`,
    'giu',
  ),
  new RegExp(
    `[从自從]\\s*(?:场景|場景|场)?\\s*${NAME}\\s*(?:场景|場景)?\\s*(?:之后|以后|之後|以後|开始|開始|起)`,
    'gu',
  ),
  new RegExp(`(?:シーン)?\\s*${NAME}\\s*(?:の?シーン)?\\s*(?:から|以降|以後)`, 'gu'),
];

/** Finds the notes of a story bible. `scenes`: the project paths of all scenes. Pure; the result is bounded. */
export function findBibleScopes(text: string, scenes: readonly string[]): BibleScope[] {
  const byName = toSceneNames(scenes);
  const scopes: BibleScope[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (scopes.length === MAX_SCOPES) break;
    const from = findScene(line, byName);
    if (from === null) continue;
    const words = line.replace(/^[\s#>*-]+/, '').trim();
    scopes.push({ text: shorten(words, MAX_TEXT), from });
  }
  return scopes;
}

/** Returns the notes of `before` that `after` lacks, as written. Names of scenes are not checked. */
export function findLostScopes(before: string, after: string): string[] {
  return [...new Set(toNotes(before).filter((note) => !after.includes(note)))];
}

function toNotes(text: string): string[] {
  return NOTES.flatMap((pattern) => [...text.slice(0, 40_000).matchAll(pattern)].map(([note]) => note.trim()));
}

function findScene(line: string, byName: ReadonlyMap<string, string>): string | null {
  for (const pattern of NOTES) {
    for (const [, name = ''] of line.slice(0, 1000).matchAll(pattern)) {
      const scene = byName.get(toKey(name));
      if (scene !== undefined) return scene;
    }
  }
  return null;
}

/** Scenes by path below the folder and by file name, where that is unique; without the suffix and in lower case. */
function toSceneNames(scenes: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const toFile = (path: string): string => toKey(path.split('/').at(-1) ?? path);
  for (const path of scenes) counts.set(toFile(path), (counts.get(toFile(path)) ?? 0) + 1);
  for (const path of scenes) {
    if (counts.get(toFile(path)) === 1) names.set(toFile(path), path);
    names.set(toKey(path), path);
  }
  return names;
}

function toKey(name: string): string {
  const plain = name.normalize('NFC').replace(/\.+$/, '');
  return (plain.startsWith(SCENES) ? plain.slice(SCENES.length) : plain).replace(/\.txt$/i, '').toLowerCase();
}
