/** What the empty chat knows about the open game. */
export interface GameFacts {
  /** Scene files, by name without folder and `.txt`; the first scene first. */
  scenes: readonly string[];
  /** Who speaks, the most talkative first. */
  speakers: readonly string[];
}

/** A request she could make: the i18n key under `chat:examples` and its values. */
export interface ExampleRequest {
  key: string;
  values: Record<string, string>;
}

/** Three things to ask for that fit the game: one that goes on with it, one that deepens it, one that checks it. */
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

/** Reads the facts from the scenes' texts; `speakersOf` names the speaker of each spoken line. */
export function toGameFacts(
  scenes: readonly { path: string; text: string }[],
  speakersOf: (text: string) => readonly string[],
): GameFacts {
  const lines = new Map<string, number>();
  for (const scene of scenes)
    for (const speaker of speakersOf(scene.text)) {
      // A name that is computed from a variable would read oddly in a sentence.
      if (speaker.trim() && !/[{}]/.test(speaker)) lines.set(speaker, (lines.get(speaker) ?? 0) + 1);
    }
  const names = scenes
    .map(({ path }) => path.replace(/^game\/scene\//, '').replace(/\.txt$/i, ''))
    .sort((a, b) => Number(b === 'start') - Number(a === 'start') || (a < b ? -1 : 1));
  const speakers = [...lines].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name);
  return { scenes: names, speakers };
}
