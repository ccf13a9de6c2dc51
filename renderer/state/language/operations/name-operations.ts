import { type LanguageState, summaryOf } from './language-state.ts';

/** Names of a game that a message to the assistant can mention. Tuples, because they are copied between threads. */
export interface StoryNames {
  /** Speakers with their number of lines, most lines first. */
  speakers: [name: string, lines: number][];
  labels: [path: string, name: string, line: number][];
}

/** Maximum of labels and of speakers: more are not shown, and a novel has tens of thousands of labels. */
const MAX_NAMES = 50;

/** Operations that find names. */
export function createNameOperations(state: LanguageState) {
  return {
    /** Finds names that contain a text; of the labels first those that begin with it. */
    findNames({ text }: { text: string }): StoryNames {
      const wanted = text.toLowerCase();
      const speakers: StoryNames['speakers'] = [];
      for (const [name, lines] of state.index.speakers.entries()) {
        // The speaker of a narration has no name.
        if (name.trim() !== '' && name.toLowerCase().includes(wanted)) speakers.push([name, lines]);
      }
      speakers.sort((one, other) => other[1] - one[1]);
      const [first, second]: [StoryNames['labels'], StoryNames['labels']] = [[], []];
      for (const scene of state.index.scenes()) {
        for (const { name, line } of summaryOf(state, scene)?.labels ?? []) {
          const at = name.toLowerCase().indexOf(wanted);
          const found = at === 0 ? first : at > 0 ? second : null;
          if (found && found.length < MAX_NAMES) found.push([scene.path, name, line]);
        }
        if (first.length >= MAX_NAMES) break;
      }
      return { speakers: speakers.slice(0, MAX_NAMES), labels: [...first, ...second].slice(0, MAX_NAMES) };
    },
  };
}
