import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { api } from '../api.ts';
import { measureScene, type StoryLength } from './story-length.ts';

/** Scenes by path with how long each is; null until they were read. */
export interface StoryLengthState {
  scenes: ReadonlyMap<string, StoryLength> | null;
}

const store = createStore<StoryLengthState>(() => ({ scenes: null }));

const isScene = (path: string) => /^game\/scene\/.+\.txt$/i.test(path);

async function measureAll(): Promise<void> {
  const { scenes } = await api.call('project.scenes', {});
  store.setState({ scenes: new Map(scenes.map(({ path, text }) => [path, measureScene(text)])) });
}

async function measureAnew(paths: readonly string[]): Promise<void> {
  for (const path of paths.filter(isScene)) {
    const length = await api.call('script.read', { path }).then(
      ({ text }) => measureScene(text),
      // Gone or unreadable: it counts for nothing; the editor and the problems say why.
      () => null,
    );
    const scenes = new Map(store.getState().scenes);
    if (length) scenes.set(path, length);
    else scenes.delete(path);
    store.setState({ scenes });
  }
}

/** The whole game's length and its number of scenes; null until known. */
export function useStoryLength(): (StoryLength & { scenes: number }) | null {
  const scenes = useStore(store, (state) => state.scenes);
  if (!scenes) return null;
  const total = { scenes: scenes.size, characters: 0, words: 0 };
  for (const { characters, words } of scenes.values()) {
    total.characters += characters;
    total.words += words;
  }
  return total;
}

/** Starts measuring the open game; call once. */
export function connectStoryLength(): void {
  // A count in the status bar is no reason to disturb her: a failure leaves it out.
  const start = () => void measureAll().catch(() => store.setState({ scenes: null }));
  let project: string | null = null;
  api.on('project.changed', (event) => {
    const id = event.project?.id ?? null;
    if (id === project) return;
    project = id;
    store.setState({ scenes: null });
    if (id) start();
  });
  api.on('project.filesChanged', ({ paths }) => {
    if (store.getState().scenes) void measureAnew(paths);
  });
  start();
}
