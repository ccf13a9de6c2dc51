import { join } from 'node:path';
import type { UpdateSupport } from '../../../../shared/model/updates.ts';
import type { UpdateResult, Updates } from '../../../core/ports/updates.ts';
import { RELEASE_PAGE } from '../../../network/allowed-addresses.ts';
import type { AppLog } from '../diagnosis/app-log.ts';
import { isForTestersOnly } from './check-feed.ts';
import { downloadUpdate } from './download-update.ts';
import type { OpenedUpdater } from './open-updater.ts';
import { toUpdateProblem } from './to-update-problem.ts';
import { createUpdatesFile } from './updates-file.ts';

/** The window is closed during an installation, so the process must end even if the installation does not. */
const INSTALL_TIMEOUT_MS = 120_000;

interface UpdatesOptions {
  support: UpdateSupport;
  /** The folder of the app's own data. */
  home: string;
  log: AppLog;
}

/** Creates updates through electron-updater, which is loaded at the first check. */
export function createUpdates({ support, home, log }: UpdatesOptions): Updates {
  const file = createUpdatesFile(join(home, 'updates.json'));
  let opened: OpenedUpdater | null = null;

  async function find(feed: string | null): Promise<UpdateResult> {
    const { openUpdater } = await import('./open-updater.ts');
    // A new one for each check: electron-updater caches the data of an earlier feed.
    opened = openUpdater({ folder: join(home, 'updates'), feed, log });
    const { updater } = opened;
    const result = await updater.checkForUpdates();
    if (!result) throw new Error('The updater is not active.');
    const { version, releaseNotes } = result.updateInfo;
    if (isForTestersOnly(version, updater.currentVersion.version)) return { kind: 'same' };
    if (result.isUpdateAvailable) {
      return { kind: 'newer', version, notes: typeof releaseNotes === 'string' ? releaseNotes : '' };
    }
    const order = updater.currentVersion.compare(version);
    if (order === 0) return { kind: 'same' };
    return { kind: order > 0 ? 'older' : 'unsupported', version };
  }

  return {
    support,
    page: RELEASE_PAGE,
    readKept: file.read,
    keepCheck: (at) => file.change({ checkedAt: at, notInstalled: null }),
    async check(feed) {
      try {
        return await find(feed);
      } catch (error) {
        log.error('update check', error);
        return { kind: 'failed', problem: toUpdateProblem(error, 'check') };
      }
    },
    download: async (onProgress, signal) => (opened ? downloadUpdate(opened, { onProgress, signal, log }) : 'unknown'),
    async install(version) {
      try {
        if (!opened) throw new Error('There is no download to install.');
        await settleIn(opened.install(), INSTALL_TIMEOUT_MS);
        log.info(`Version ${version} was installed.`);
        await file.change({ notInstalled: null });
      } catch (error) {
        log.error('update installation', error);
        await file.change({ notInstalled: version }).catch((cause: unknown) => log.error('updates.json', cause));
      }
    },
  };
}

/** Rejects if the work does not settle in time. */
async function settleIn(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The installation took too long.')), milliseconds);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
