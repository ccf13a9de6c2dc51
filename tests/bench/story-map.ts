import { layOutStory } from '../../renderer/story/lay-out-story.ts';
import { type MapWording, type StoryMap, toStoryMap } from '../../renderer/story/story-map.ts';
import { createProjectIndex } from '../../shared/script/project-facts.ts';
import { buildStoryGraph } from '../../shared/script/story-graph.ts';
import { describePassages } from '../../shared/script/story-passages.ts';
import { toBranchingGame } from '../support/branching-game.ts';
import { type Comparison, compare, time } from './compare.ts';

const wording: MapWording = {
  words: String,
  lines: String,
  minutes: String,
  call: 'call',
  condition: (condition) => condition,
  mark: (mark) => mark,
};

/** What a scene costs to put on the map among 1,500, against what it costs among 150: 1 is linear. */
export function benchStoryMap(): Promise<Comparison> {
  const [large, small] = [toMap(10), toMap(1)];
  return compare({
    name: '150 scenes of a story map of 1,500',
    goal: { ratio: 0.4 },
    against: 'a story map of 150',
    rounds: 3,
    ours: async () => (await time(async () => layOutStory(large))) / 10,
    theirs: () => time(async () => layOutStory(small)),
  });
}

/** So many stories of 150 scenes, one beginning after each of the endings of the one before. */
function toMap(volumes: number): StoryMap {
  const index = createProjectIndex();
  for (let volume = 0; volume < volumes; volume += 1) {
    const prefix = (at: number) => (at === 0 ? '' : `v${at}_`);
    const next = volume + 1 < volumes ? `changeScene:${prefix(volume + 1)}start.txt;` : 'end;';
    for (const [path, text] of toBranchingGame()) {
      const own = text.replace(/:([^:|;\n]+\.txt)/g, (_, name: string) => `:${prefix(volume)}${name}`);
      index.setScene(path.replace('scene/', `scene/${prefix(volume)}`), own.replace(/^end;$/m, next));
    }
  }
  const graph = buildStoryGraph(index);
  return toStoryMap({ graph, passages: describePassages(index, graph.nodes) }, 'scenes', wording);
}
