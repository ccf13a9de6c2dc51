import { AppError } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { UpdateState } from '../../../shared/model/updates.ts';
import { beginChecks, checkUpdates, downloadUpdate } from './check-updates.ts';
import {
  createUpdatesMemory,
  discardOffer,
  publishState,
  toUpdateState,
  type UpdatesServicePorts,
} from './updates-memory.ts';

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

/** Creates the service that checks for new versions, downloads them, and installs one when the app quits. */
export function createUpdatesService(ports: UpdatesServicePorts): UpdatesService {
  const { updates } = ports;
  const memory = createUpdatesMemory(ports);
  let hasBegun = false;

  const follow = (settings: Settings): void => {
    const isOtherFeed = settings.updateFeed !== memory.feed;
    const isOff = memory.isAutomatic && !settings.checksForUpdates;
    memory.feed = settings.updateFeed;
    memory.isAutomatic = settings.checksForUpdates;
    if (isOtherFeed || isOff) discardOffer(memory);
    if (isOtherFeed) publishState(memory);
  };

  const known = updates && ports.readSettings().then(follow, () => undefined);

  return {
    state: () => toUpdateState(memory),
    follow,
    begin() {
      if (!updates || updates.support === 'none' || hasBegun) return;
      hasBegun = true;
      Promise.resolve(known)
        .then(() => beginChecks(memory, updates))
        .catch((error: unknown) => ports.onFault({ where: 'begin of the update checks', error }));
    },
    async check() {
      if (!updates || updates.support === 'none') throw noUpdates();
      await known;
      checkUpdates(memory, updates).catch((error: unknown) => ports.onFault({ where: 'update check', error }));
    },
    async download() {
      if (updates?.support !== 'self') throw noUpdates();
      downloadUpdate(memory, updates).catch((error: unknown) => ports.onFault({ where: 'update download', error }));
    },
    stop() {
      memory.isStopped = true;
      memory.timers.clearAll();
      memory.running.abort();
    },
    async install() {
      if (updates && memory.phase.status === 'ready') await updates.install(memory.phase.offer.version);
    },
  };
}

function noUpdates(): AppError {
  return new AppError('E_UNSUPPORTED', 'This copy of the app cannot be updated from within.', {
    reason: 'updates.none',
  });
}
