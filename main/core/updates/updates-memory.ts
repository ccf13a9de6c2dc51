import type { Emit } from '../../../shared/contract.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { UpdatePhase, UpdateState } from '../../../shared/model/updates.ts';
import type { Clock } from '../ports/host.ts';
import type { Updates } from '../ports/updates.ts';
import { createTimers, type Timers } from '../timers.ts';
import { toNextPhase, type UpdateStep } from './update-phase.ts';

export interface UpdatesServicePorts {
  /** Null on a host without updates. */
  updates: Updates | null;
  readSettings: () => Promise<Settings>;
  clock: Pick<Clock, 'now'>;
  version: string;
  emit: Emit;
  onFault: (fault: { where: string; error: unknown }) => void;
}

/** The memory of the updates service, shared by its checks and downloads. */
export interface UpdatesMemory {
  readonly ports: UpdatesServicePorts;
  readonly timers: Timers;
  phase: UpdatePhase;
  /** The last check that reached the feed, in ms since 1970. */
  checkedAt: number | null;
  lastAttempt: number | null;
  /** Null: the feed of the app. */
  feed: string | null;
  isAutomatic: boolean;
  isStopped: boolean;
  /** Aborted when the found version is discarded: steps of cancelled runs are ignored. */
  running: AbortController;
}

export function createUpdatesMemory(ports: UpdatesServicePorts): UpdatesMemory {
  return {
    ports,
    timers: createTimers(),
    phase: { status: 'idle' },
    checkedAt: null,
    lastAttempt: null,
    feed: null,
    isAutomatic: true,
    isStopped: false,
    running: new AbortController(),
  };
}

export function toUpdateState({ ports, feed, checkedAt, phase }: UpdatesMemory): UpdateState {
  const { updates, version } = ports;
  const page = feed === null ? (updates?.page ?? null) : null;
  return { support: updates?.support ?? 'none', version, page, checkedAt, phase };
}

export function publishState(memory: UpdatesMemory): void {
  memory.ports.emit('updates.changed', toUpdateState(memory));
}

export function takeStep(memory: UpdatesMemory, step: UpdateStep): void {
  const { phase } = memory;
  const next = toNextPhase(phase, step);
  if (next === phase) return;
  const isSame = JSON.stringify(next) === JSON.stringify(phase);
  memory.phase = next;
  if (!isSame) publishState(memory);
}

/** Discards a version that was found. */
export function discardOffer(memory: UpdatesMemory): void {
  memory.running.abort();
  memory.running = new AbortController();
  takeStep(memory, { kind: 'reset' });
}
