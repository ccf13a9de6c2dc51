import { sortByPath } from '../state/project/file-list.ts';

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

/** Extracts the facts from scene texts. `speakersOf` returns the speaker of each dialogue line. */
export function toGameFacts(
  scenes: readonly { path: string; text: string }[],
  speakersOf: (text: string) => readonly string[],
): GameFacts {
  const lines = new Map<string, number>();
  for (const scene of scenes)
    for (const speaker of speakersOf(scene.text)) {
      // Skip names that are computed from a variable: the placeholder would appear in the sentence.
      if (speaker.trim() && !/[{}]/.test(speaker)) lines.set(speaker, (lines.get(speaker) ?? 0) + 1);
    }
  const names = sortByPath(scenes).map(({ path }) => path.replace(/^game\/scene\//, '').replace(/\.txt$/i, ''));
  const speakers = [...lines].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name);
  return { scenes: names, speakers };
}
