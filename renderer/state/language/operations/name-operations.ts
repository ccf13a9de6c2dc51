import { type LanguageState, summaryOf } from './language-state.ts';

/** The names of a game that a message to the assistant can mention. Tuples, because they are copied between threads. */
export interface StoryNames {
  /** Speakers with their number of lines, most lines first. */
  speakers: [name: string, lines: number][];
  labels: [path: string, name: string, line: number][];
}

/** Operations that list names. */
export function createNameOperations(state: LanguageState) {
  return {
    listNames(_: object): StoryNames {
      const labels: StoryNames['labels'] = [];
      for (const scene of state.index.scenes()) {
        for (const { name, line } of summaryOf(state, scene)?.labels ?? []) labels.push([scene.path, name, line]);
      }
      const speakers: StoryNames['speakers'] = [];
      // The speaker of a narration has no name.
      for (const [name, lines] of state.index.speakers.entries()) if (name.trim() !== '') speakers.push([name, lines]);
      return { speakers: speakers.sort((one, other) => other[1] - one[1]), labels };
    },
  };
}
