import type { Updates } from '../ports/updates.ts';
import { toReleaseNotes } from './to-release-notes.ts';
import type { UpdateStep } from './update-phase.ts';
import { publishState, takeStep, type UpdatesMemory } from './updates-memory.ts';

/** Interval of automatic checks. */
export const CHECK_INTERVAL_MS = 24 * 60 * 60 * 1000;
/** Delay of the first check, so that it does not slow down the start of the app. */
export const FIRST_CHECK_DELAY_MS = 10_000;
/** Timers do not advance while the computer sleeps, so the clock is polled hourly. */
const TICK_MS = 60 * 60 * 1000;

/** Publishes what was kept of earlier runs, and starts the daily checks. */
export async function beginChecks(memory: UpdatesMemory, port: Updates): Promise<void> {
  const kept = await port.readKept();
  memory.checkedAt = kept.checkedAt;
  if (kept.notInstalled) {
    memory.phase = { status: 'failed', problem: 'install', offer: { version: kept.notInstalled, notes: '' } };
  }
  publishState(memory);
  if (!memory.isStopped) memory.timers.set('tick', FIRST_CHECK_DELAY_MS, () => tick(memory, port));
}

function tick(memory: UpdatesMemory, port: Updates): void {
  const { ports, timers, checkedAt, lastAttempt } = memory;
  timers.set('tick', TICK_MS, () => tick(memory, port));
  if (!memory.isAutomatic) return;
  const elapsed = ports.clock.now() - Math.max(checkedAt ?? 0, lastAttempt ?? 0);
  // If the clock was set back, `elapsed` is negative; check anyway.
  if (elapsed >= 0 && elapsed < CHECK_INTERVAL_MS) return;
  checkUpdates(memory, port).catch((error: unknown) => ports.onFault({ where: 'update check', error }));
}

/** Checks for a new version unless one is being handled, and downloads it where that is automatic. */
export async function checkUpdates(memory: UpdatesMemory, port: Updates): Promise<void> {
  const { status } = memory.phase;
  if (memory.isStopped || status === 'ready' || status === 'checking' || status === 'downloading') return;
  const { signal } = memory.running;
  const step = takeStepsUntil(memory, signal);
  memory.lastAttempt = memory.ports.clock.now();
  step({ kind: 'asked' });
  const found = await port.check(memory.feed);
  if (signal.aborted) return;
  switch (found.kind) {
    case 'failed':
      return step({ kind: 'failed', problem: found.problem });
    case 'same':
      step({ kind: 'foundNothing' });
      return noteChecked(memory, port);
    case 'older':
      step({ kind: 'foundOlder', version: found.version });
      return noteChecked(memory, port);
    case 'unsupported':
      step({ kind: 'foundUnsupported', version: found.version });
      return noteChecked(memory, port);
    case 'newer':
      // Not stored: a start before the installation must find the version again, in the kept download.
      step({ kind: 'found', offer: { version: found.version, notes: toReleaseNotes(found.notes) } });
      if (memory.isAutomatic) await downloadUpdate(memory, port);
  }
}

function noteChecked(memory: UpdatesMemory, port: Updates): void {
  const { clock, onFault } = memory.ports;
  const now = clock.now();
  memory.checkedAt = now;
  publishState(memory);
  port.keepCheck(now).catch((error: unknown) => onFault({ where: 'time of the update check', error }));
}

/** Downloads the version that was found, if any. */
export async function downloadUpdate(memory: UpdatesMemory, port: Updates): Promise<void> {
  if (memory.phase.status !== 'available' || port.support !== 'self') return;
  const { signal } = memory.running;
  const step = takeStepsUntil(memory, signal);
  step({ kind: 'began' });
  const problem = await port.download((percent) => step({ kind: 'progressed', percent }), signal);
  step(problem === null ? { kind: 'finished' } : { kind: 'failed', problem });
}

/** Applies steps of the current run only; those of cancelled runs are ignored. */
function takeStepsUntil(memory: UpdatesMemory, signal: AbortSignal): (step: UpdateStep) => void {
  return (step) => {
    if (!signal.aborted) takeStep(memory, step);
  };
}
