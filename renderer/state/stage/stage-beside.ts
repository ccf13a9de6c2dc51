import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { StageState } from '../../../shared/model/stage.ts';
import { api, onConnection } from '../../api.ts';
import { notifyError } from '../notify.ts';

/** The other text beside the stage; null while nothing is compared. */
const besideStore = createStore<{ stage: StageState | null }>(() => ({ stage: null }));

export function useStageBeside(): StageState | null {
  return useStore(besideStore, ({ stage }) => stage);
}

/** Plays the other text beside the stage, or ends that. The result arrives as event. */
export function compareOnStage(isOn: boolean): void {
  void api.call('stage.compare', { isOn }).catch(notifyError);
}

/** Subscribes to the comparison of the open game; call once. */
export function connectStageBeside(): void {
  // The app is unreachable, or no game is open: the listeners below ask again.
  const start = () => void api.call('stage.beside', {}).then(besideStore.setState, () => undefined);
  api.on('stage.besideChanged', besideStore.setState);
  api.on('project.changed', ({ project }) => {
    if (project) start();
    else besideStore.setState({ stage: null });
  });
  onConnection((isBack) => isBack && start());
  start();
}
