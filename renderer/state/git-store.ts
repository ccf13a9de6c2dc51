import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { GitState } from '../../shared/model/git/git.ts';
import { api, onConnection } from '../api.ts';

/** The repository that the open game is in; null where there is none. */
const gitStore = createStore<{ git: GitState | null }>(() => ({ git: null }));

export function useGit(): GitState | null {
  return useStore(gitStore, (state) => state.git);
}

/** Counts what arrives, so that an answer that was asked for earlier does not replace a newer event. */
let newest = 0;

async function load(): Promise<void> {
  newest += 1;
  const own = newest;
  try {
    const state = await api.call('git.state', {});
    if (own === newest) gitStore.setState(state);
  } catch {
    // Read again when the app answers, or with the next change.
  }
}

/** Follows the open game; call once. */
export function connectGit(): void {
  api.on('git.changed', (state) => {
    newest += 1;
    gitStore.setState(state);
  });
  api.on('project.changed', () => void load());
  onConnection((isConnected) => isConnected && void load());
  void load();
}
