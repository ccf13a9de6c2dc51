import type { ProjectFile } from '../../shared/model/project.ts';
import { toShortName } from '../state/project/file-kinds.ts';

/** Facts about the open game for the empty chat. */
export interface GameFacts {
  /** Scene names without folder and `.txt`; the first scene first. */
  scenes: readonly string[];
  /** Speaker names, by number of lines, descending. */
  speakers: readonly string[];
}

/** An example request: the i18n key under `chat:examples` and its values. */
export interface ExampleRequest {
  key: string;
  values: Record<string, string>;
}

/** Returns three requests that fit the game: one continues it, one deepens it, one checks it. */
export function toExampleRequests({ scenes, speakers }: GameFacts): ExampleRequest[] {
  const [first] = scenes;
  const last = scenes.at(-1);
  const [hero, second] = speakers;
  if (!first || !last)
    return [
      { key: 'opening', values: {} },
      { key: 'cast', values: {} },
      { key: 'howTo', values: {} },
    ];
  return [
    { key: 'choice', values: { scene: last } },
    hero && second
      ? { key: 'quarrel', values: { one: hero, other: second } }
      : hero
        ? { key: 'deepen', values: { one: hero, scene: first } }
        : { key: 'mood', values: { scene: first } },
    { key: 'check', values: {} },
  ];
}

/** Extracts the facts from the files of a game, in display order, and its speakers. */
export function toGameFacts(
  files: readonly ProjectFile[],
  speakers: readonly (readonly [name: string, lines: number])[],
): GameFacts {
  const scenes = files.filter(({ kind }) => kind === 'scene').map((file) => toShortName(file).replace(/\.txt$/i, ''));
  const names = speakers
    // Skip names that are computed from a variable: the placeholder would appear in the sentence.
    .filter(([name]) => !/[{}]/.test(name))
    .toSorted(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
    .map(([name]) => name);
  return { scenes, speakers: names };
}
