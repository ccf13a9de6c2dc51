import type { Emit } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { UpdatePhase, UpdateState } from '../../../shared/model/updates.ts';
import type { Clock, Updates } from '../ports.ts';
import { createTimers } from '../stage/timers.ts';
import { toReleaseNotes } from './to-release-notes.ts';
import { toNextPhase, type UpdateStep } from './update-phase.ts';

/** Interval of automatic checks. */
export const CHECK_INTERVAL_MS = 24 * 60 * 60 * 1000;
/** Delay of the first check, so that it does not slow down the start of the app. */
export const FIRST_CHECK_DELAY_MS = 10_000;
/** Timers do not advance while the computer sleeps, so the clock is polled hourly. */
const TICK_MS = 60 * 60 * 1000;

interface UpdatesServicePorts {
  /** Null on a host without updates. */
  updates: Updates | null;
  readSettings: () => Promise<Settings>;
  clock: Pick<Clock, 'now'>;
  version: string;
  emit: Emit;
  onFault: (fault: { where: string; error: unknown }) => void;
}

export interface UpdatesService {
  state(): UpdateState;
  /** Starts the daily checks. Hosts call it once the window shows the page. */
  begin(): void;
  /** Starts a check now and resolves once it has started. Throws `E_UNSUPPORTED` with reason `updates.none`. */
  check(): Promise<void>;
  /** Downloads the version that was found, if any. */
  download(): Promise<void>;
  /** Applies the settings. Disabling updates or changing the feed discards a version that was found. */
  follow(settings: Settings): void;
  /** Stops checks and downloads. `install` still installs a downloaded version. */
  stop(): void;
  /** Installs a downloaded version, if any. Called as the last step at quit, if there is no obstacle. */
  install(): Promise<void>;
}

/** Creates the area that checks for new versions, downloads them, and installs one when the app quits. */
export function createUpdatesService(ports: UpdatesServicePorts): UpdatesService {
  const { updates, clock, emit, version } = ports;
  const timers = createTimers();
  let phase: UpdatePhase = { status: 'idle' };
  let checkedAt: number | null = null;
  let feed: string | null = null;
  let isAutomatic = true;
  let hasBegun = false;
  let isStopped = false;
  let lastAttempt: number | null = null;
  let running = new AbortController();

  const state = (): UpdateState => ({
    support: updates?.support ?? 'none',
    version,
    page: feed === null ? (updates?.page ?? null) : null,
    checkedAt,
    phase,
  });

  const take = (step: UpdateStep): void => {
    const next = toNextPhase(phase, step);
    if (next === phase) return;
    const isSame = JSON.stringify(next) === JSON.stringify(phase);
    phase = next;
    if (!isSame) emit('updates.changed', state());
  };

  /** Applies steps of the current run only; those of cancelled runs are ignored. */
  const takeFor =
    (signal: AbortSignal) =>
    (step: UpdateStep): void => {
      if (!signal.aborted) take(step);
    };

  const forget = (): void => {
    running.abort();
    running = new AbortController();
    take({ kind: 'reset' });
  };

  const download = async (port: Updates): Promise<void> => {
    if (phase.status !== 'available' || port.support !== 'self') return;
    const { signal } = running;
    const step = takeFor(signal);
    step({ kind: 'began' });
    const problem = await port.download((percent) => step({ kind: 'progressed', percent }), signal);
    step(problem === null ? { kind: 'finished' } : { kind: 'failed', problem });
  };

  const noteChecked = (port: Updates): void => {
    checkedAt = clock.now();
    emit('updates.changed', state());
    port.keepCheck(checkedAt).catch((error: unknown) => ports.onFault({ where: 'time of the update check', error }));
  };

  const check = async (port: Updates): Promise<void> => {
    if (isStopped || phase.status === 'ready' || phase.status === 'checking' || phase.status === 'downloading') return;
    const { signal } = running;
    const step = takeFor(signal);
    lastAttempt = clock.now();
    step({ kind: 'asked' });
    const found = await port.check(feed);
    if (signal.aborted) return;
    switch (found.kind) {
      case 'failed':
        return step({ kind: 'failed', problem: found.problem });
      case 'same':
        step({ kind: 'foundNothing' });
        return noteChecked(port);
      case 'older':
        step({ kind: 'foundOlder', version: found.version });
        return noteChecked(port);
      case 'unsupported':
        step({ kind: 'foundUnsupported', version: found.version });
        return noteChecked(port);
      case 'newer':
        // Not stored: a start before the installation must find the version again, in the kept download.
        step({ kind: 'found', offer: { version: found.version, notes: toReleaseNotes(found.notes) } });
        if (isAutomatic) await download(port);
    }
  };

  const tick = (port: Updates): void => {
    timers.set('tick', TICK_MS, () => tick(port));
    if (!isAutomatic) return;
    const latest = Math.max(checkedAt ?? 0, lastAttempt ?? 0);
    const elapsed = clock.now() - latest;
    // If the clock was set back, `elapsed` is negative; check anyway.
    if (elapsed >= 0 && elapsed < CHECK_INTERVAL_MS) return;
    check(port).catch((error: unknown) => ports.onFault({ where: 'update check', error }));
  };

  const begin = async (port: Updates): Promise<void> => {
    const kept = await port.readKept();
    checkedAt = kept.checkedAt;
    if (kept.notInstalled) {
      phase = { status: 'failed', problem: 'install', offer: { version: kept.notInstalled, notes: '' } };
    }
    emit('updates.changed', state());
    if (!isStopped) timers.set('tick', FIRST_CHECK_DELAY_MS, () => tick(port));
  };

  const follow = (settings: Settings): void => {
    const isOtherFeed = settings.updateFeed !== feed;
    const isOff = isAutomatic && !settings.checksForUpdates;
    feed = settings.updateFeed;
    isAutomatic = settings.checksForUpdates;
    if (isOtherFeed || isOff) forget();
    if (isOtherFeed) emit('updates.changed', state());
  };

  const known = updates && ports.readSettings().then(follow, () => undefined);

  return {
    state,
    follow,
    begin() {
      if (!updates || updates.support === 'none' || hasBegun) return;
      hasBegun = true;
      Promise.resolve(known)
        .then(() => begin(updates))
        .catch((error: unknown) => ports.onFault({ where: 'begin of the update checks', error }));
    },
    async check() {
      if (!updates || updates.support === 'none') throw noUpdates();
      await known;
      check(updates).catch((error: unknown) => ports.onFault({ where: 'update check', error }));
    },
    async download() {
      if (updates?.support !== 'self') throw noUpdates();
      download(updates).catch((error: unknown) => ports.onFault({ where: 'update download', error }));
    },
    stop() {
      isStopped = true;
      timers.clearAll();
      running.abort();
    },
    async install() {
      if (updates && phase.status === 'ready') await updates.install(phase.offer.version);
    },
  };
}

function noUpdates(): AppError {
  return new AppError('E_UNSUPPORTED', 'This copy of the app cannot be updated from within.', {
    reason: 'updates.none',
  });
}
