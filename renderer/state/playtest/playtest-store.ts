import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { PlaytestRequest, PlaytestResult, PlaytestState } from '../../../shared/model/playtest/playtest-state.ts';
import type { SceneCoverage } from '../../../shared/model/playtest/report.ts';
import { api, onConnection } from '../../api.ts';
import { notifyError } from '../notify.ts';

/** The parts of the report. */
export const PLAYTEST_PARTS = ['findings', 'reached', 'coverage', 'tests'] as const;
export type PlaytestPart = (typeof PLAYTEST_PARTS)[number];

export interface PlaytestStore {
  /** The run; null while no game is open. */
  run: PlaytestState | null;
  /** The last result; null until there is one. */
  result: PlaytestResult | null;
  /** The part that is shown. */
  part: PlaytestPart;
}

const playtestStore = createStore<PlaytestStore>(() => ({ run: null, result: null, part: 'findings' }));

export function usePlaytest<T>(select: (state: PlaytestStore) => T): T {
  return useStore(playtestStore, select);
}

const coverages = new WeakMap<PlaytestResult, ReadonlyMap<string, SceneCoverage>>();

/** Returns what the last playtest covered of a scene. */
export function toCoverage({ result }: PlaytestStore, path: string): SceneCoverage | undefined {
  if (result === null) return undefined;
  const known = coverages.get(result) ?? new Map(result.coverage.scenes.map((scene) => [scene.path, scene]));
  coverages.set(result, known);
  return known.get(path);
}

/** Counts what arrives, so that an answer that was asked for earlier does not replace a newer event. */
let newest = 0;

async function load(): Promise<void> {
  newest += 1;
  const own = newest;
  try {
    const { playtest } = await api.call('playtest.state', {});
    if (own === newest) receive(playtest);
  } catch {
    // Read again when the app answers, or with the next change.
  }
}

function receive(run: PlaytestState | null): void {
  const { result } = playtestStore.getState();
  playtestStore.setState({ run, ...(run === null && { result: null }) });
  if (run !== null && run.result !== (result?.number ?? 0)) void loadResult();
}

async function loadResult(): Promise<void> {
  try {
    playtestStore.setState(await api.call('playtest.result', {}));
  } catch (error) {
    notifyError(error);
  }
}

export function showPlaytestPart(part: PlaytestPart): void {
  playtestStore.setState({ part });
}

let isStarting = false;

/** Starts a run, once for a double click; its progress and result arrive in the store. */
export async function startPlaytest(request: PlaytestRequest): Promise<void> {
  if (isStarting || (playtestStore.getState().run?.status ?? 'idle') !== 'idle') return;
  isStarting = true;
  showPlaytestPart(request.onlyTests ? 'tests' : 'findings');
  try {
    await api.call('playtest.start', request);
  } catch (error) {
    notifyError(error);
  } finally {
    isStarting = false;
  }
}

/** Pauses, resumes or ends the run. */
export function steerPlaytest(order: 'pause' | 'resume' | 'stop'): void {
  void api.call(`playtest.${order}`, {}).catch(notifyError);
}

/** Follows the playtest of the open game; call once. */
export function connectPlaytest(): void {
  api.on('playtest.changed', ({ playtest }) => {
    newest += 1;
    receive(playtest);
  });
  api.on('project.changed', () => {
    playtestStore.setState({ run: null, result: null });
    void load();
  });
  onConnection((isConnected) => isConnected && void load());
  void load();
}
