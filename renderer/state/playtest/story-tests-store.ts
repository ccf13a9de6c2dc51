import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { PlaytestSource } from '../../../shared/model/playtest/playtest-state.ts';
import { STORY_TESTS_PATH, type StoryTest } from '../../../shared/model/playtest/story-test.ts';
import type { StoryTestsFile } from '../../../shared/model/playtest/story-tests-file.ts';
import type { StageShown } from '../../../shared/model/stage.ts';
import { api, onConnection } from '../../api.ts';
import { notifyError } from '../notify.ts';

/** A test that the user writes. */
export interface TestDraft {
  /** Its place in the file; null: a new one. */
  at: number | null;
  test: StoryTest;
  /** The texts that it is tried with. */
  source: PlaytestSource;
  /** What was on the stage when its route was played; null for a test from the file. */
  shown: StageShown | null;
  /** True if the user set a variable by hand on the way. */
  hasSetVariable: boolean;
}

interface StoryTestsStore {
  /** Null until it is read. */
  file: StoryTestsFile | null;
  /** The test in the dialog; null while that is closed. */
  draft: TestDraft | null;
}

export const storyTestsStore = createStore<StoryTestsStore>(() => ({ file: null, draft: null }));

export function useStoryTests<T>(select: (state: StoryTestsStore) => T): T {
  return useStore(storyTestsStore, select);
}

export function editTest(draft: TestDraft | null): void {
  storyTestsStore.setState({ draft });
}

/** Counts the readings, so that an older answer does not replace a newer one. */
let newest = 0;

export async function loadStoryTests(): Promise<void> {
  newest += 1;
  const own = newest;
  try {
    const file = await api.call('playtest.tests', {});
    if (own === newest) storyTestsStore.setState({ file });
  } catch (error) {
    notifyError(error);
  }
}

/** Follows the tests of the open game; call once. */
export function connectStoryTests(): void {
  api.on('project.changed', () => {
    storyTestsStore.setState({ file: null, draft: null });
    void loadStoryTests();
  });
  api.on('project.filesChanged', ({ paths }) => {
    if (paths.some((path) => STORY_TESTS_PATH === path || STORY_TESTS_PATH.startsWith(`${path}/`)))
      void loadStoryTests();
  });
  onConnection((isConnected) => isConnected && void loadStoryTests());
  void loadStoryTests();
}
