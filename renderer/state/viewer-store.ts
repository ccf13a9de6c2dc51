import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

interface ViewerState {
  /** True while the assistant moves the window, and a few seconds after. */
  isDriving: boolean;
  /** True once the user took over, until the turn ends or the next one begins: the assistant may then only look. */
  isHeld: boolean;
}

/** Whether the assistant moves the window of the user. */
export const viewerStore = createStore<ViewerState>(() => ({ isDriving: false, isHeld: false }));

export function useViewer<T>(select: (state: ViewerState) => T): T {
  return useStore(viewerStore, select);
}

/** Takes the window back from the assistant, until its turn ends. */
export function takeOver(): void {
  viewerStore.setState({ isDriving: false, isHeld: true });
}
