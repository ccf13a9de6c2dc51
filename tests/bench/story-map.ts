import type { MapWords } from '../../renderer/story/layout/map-words.ts';
import { createStoryOperations } from '../../renderer/story/story-operations.ts';
import { createProjectIndex } from '../../shared/script/project-index/project-facts.ts';
import { describeStory } from '../../shared/script/story/story-passages.ts';
import { toBranchingGame } from '../support/games/branching-game.ts';
import { type Comparison, compare, time } from './compare.ts';

const count = { one: '{}', other: '{}' };
const words: MapWords = {
  locale: 'en',
  counted: { words: count, lines: count, minutes: count, scenes: count },
  others: 'other',
  call: 'call',
  separator: ', ',
  condition: '{}',
  marks: { start: 'start', ending: 'ending', deadEnd: 'dead end', unreachable: 'unreachable', missing: 'missing' },
};

/** Measures the map of 1,500 scenes from the story's JSON to the layout of all nodes, against the map of 150. */
export function benchStoryMap(): Promise<Comparison> {
  const [large, small] = [toJson(10), toJson(1)];
  return compare({
    name: 'story map of 1,500 scenes',
    goal: { ratio: 4 },
    against: 'a story map of 150',
    rounds: 5,
    ours: () => time(async () => draw(large)),
    theirs: () => time(async () => draw(small)),
  });
}

function draw(json: string): void {
  const story = createStoryOperations();
  story.take({ json, words });
  story.draw({ detail: 'scenes', open: null, place: null });
}

/** Returns `volumes` stories of 150 scenes, each starting after the endings of the one before. */
export function toVolumes(volumes: number): Map<string, string> {
  const texts = new Map<string, string>();
  for (let volume = 0; volume < volumes; volume += 1) {
    const prefix = (at: number) => (at === 0 ? '' : `v${at}_`);
    const next = volume + 1 < volumes ? `changeScene:${prefix(volume + 1)}start.txt;` : 'end;';
    for (const [path, text] of toBranchingGame()) {
      const own = text.replace(/:([^:|;\n]+\.txt)/g, (_, name: string) => `:${prefix(volume)}${name}`);
      texts.set(path.replace('scene/', `scene/${prefix(volume)}`), own.replace(/^end;$/m, next));
    }
  }
  return texts;
}

function toJson(volumes: number): string {
  const index = createProjectIndex();
  for (const [path, text] of toVolumes(volumes)) index.setScene(path, text);
  return JSON.stringify(describeStory(index));
}
