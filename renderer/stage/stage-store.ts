import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { StagePlace, StageState } from '../../shared/model/stage.ts';
import { api, onConnection } from '../api.ts';
import { notifyError } from '../ui/notify.ts';
import { useStageFocus } from './stage-focus.ts';

export interface StageStoreState {
  /** What the app says about the stage. */
  stage: StageState;
}

const OFF: StageState = { status: 'off', url: null, place: null, shown: null, problems: [] };

export const stageStore = createStore<StageStoreState>(() => ({ stage: OFF }));
const set = stageStore.setState;

export function useStage<T>(select: (state: StageStoreState) => T): T {
  return useStore(stageStore, select);
}

/**
 * What the stage is to the user: what the app says about the engine, unless the page itself has no frame for it, because a
 * key may be typed (`closed`) or because the game took the keyboard again and again (`stopped`).
 */
export function useStageStatus(): StageState['status'] | 'closed' | 'stopped' {
  const status = useStage((state) => state.stage.status);
  const isClosed = useStageFocus((state) => state.holds.includes('secret'));
  const isStopped = useStageFocus((state) => state.isStopped);
  if (status === 'off') return status;
  if (isClosed) return 'closed';
  return isStopped ? 'stopped' : status;
}

async function readStage(): Promise<void> {
  set({ stage: await api.call('stage.state', {}) });
}

/** Brings the stage to a place in the story. What comes of it is told by the stage's state. */
export function showOnStage(place: StagePlace): void {
  // No game open any more, or no app behind the page: both are said elsewhere, and the cursor moves often.
  void api.call('stage.show', place).catch(() => undefined);
}

/** Loads the engine anew, and with it whatever it reads only once. */
export function reloadStage(): void {
  void api.call('stage.reload', {}).catch(notifyError);
}

let isConnected = false;

/** Starts mirroring the stage of the open game; further calls change nothing. */
export function connectStage(): void {
  if (isConnected) return;
  isConnected = true;
  // Unreachable for now: the connection listener asks again once the app is back.
  const start = () => void readStage().catch(() => undefined);
  api.on('stage.changed', (stage) => set({ stage }));
  api.on('project.changed', ({ project }) => {
    if (project) start();
    else set({ stage: OFF });
  });
  onConnection((isBack) => isBack && start());
  start();
}
