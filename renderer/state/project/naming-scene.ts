import { createStore } from 'zustand/vanilla';

/** Whether the form that names a new scene is open. */
export const namingSceneStore = createStore<{ isNaming: boolean }>(() => ({ isNaming: false }));

export function setNamingScene(isNaming: boolean): void {
  namingSceneStore.setState({ isNaming });
}
