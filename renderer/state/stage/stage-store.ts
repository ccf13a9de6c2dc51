import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { TakenWay } from '../../../shared/model/stage/stage-orders.ts';
import type { EngineChoice, StageRequest, StageState } from '../../../shared/model/stage.ts';
import { api, onConnection } from '../../api.ts';
import { notifyError } from '../notify.ts';
import { setStopped, useStageFocus } from './stage-focus.ts';

export interface StageStoreState {
  /** Stage state of the app. */
  stage: StageState;
}

const OFF: StageState = { status: 'off', url: null, place: null, isAtPlace: false, shown: null, problems: [] };

export const stageStore = createStore<StageStoreState>(() => ({ stage: OFF }));
const set = stageStore.setState;

export function useStage<T>(select: (state: StageStoreState) => T): T {
  return useStore(stageStore, select);
}

/** The displayed status of the stage. */
export type StageStatus = StageState['status'] | 'closed' | 'stopped';

/**
 * Returns the displayed status of the stage: the engine status of the app, unless the page has no frame, because an API key
 * can be typed (`closed`) or because the game took the focus repeatedly (`stopped`).
 */
export function useStageStatus(): StageStatus {
  const status = useStage((state) => state.stage.status);
  const isClosed = useStageFocus((state) => state.holds.includes('secret'));
  const isStopped = useStageFocus((state) => state.stoppedFor !== null);
  if (status === 'off') return status;
  if (isClosed) return 'closed';
  return isStopped ? 'stopped' : status;
}

async function readStage(): Promise<void> {
  set({ stage: await api.call('stage.state', {}) });
}

/** Moves the stage to a location in the story. The result arrives as stage state. */
export function showOnStage(request: StageRequest): void {
  // Ignore failures: a closed game or a lost connection is reported elsewhere, and the cursor moves often.
  void api.call('stage.show', request).catch(() => undefined);
}

/** Goes to the stop before the present one. The result arrives as stage state. */
export function goBackOnStage(): void {
  void api.call('stage.back', {}).catch(notifyError);
}

/** Takes another way where it divides before the requested line. The result arrives as stage state. */
export function takeWay(way: TakenWay): void {
  void api.call('stage.takeWay', way).catch(notifyError);
}

/** Stops playing back where the story is. */
export function stopReplay(): void {
  void api.call('stage.stopReplay', {}).catch(notifyError);
}

/** Reloads the engine, including data that it reads only at startup. */
export function reloadStage(): void {
  void api.call('stage.reload', {}).catch(notifyError);
}

/** Runs the engine that came with the game, or the app's. The result arrives as stage state. */
export function chooseEngine(choice: EngineChoice): void {
  void api.call('stage.useEngine', { choice }).catch(notifyError);
}

/** Subscribes to the stage of the open game; call once. */
export function connectStage(): void {
  // The app is unreachable: the connection listener retries after it reconnects.
  const start = () => void readStage().catch(() => undefined);
  api.on('stage.changed', (stage) => set({ stage }));
  api.on('stage.stopped', ({ reason }) => setStopped(reason));
  api.on('project.changed', ({ project }) => {
    if (project) start();
    else set({ stage: OFF });
  });
  onConnection((isBack) => isBack && start());
  start();
}
