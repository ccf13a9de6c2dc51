import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { UpdateSupport } from '../../../../shared/model/updates.ts';
import type { UpdateFinding, Updates } from '../../../core/ports/updates.ts';
import type { AppLog } from '../diagnosis/app-log.ts';
import { isForTestersOnly } from './check-feed.ts';
import type { OpenedUpdater } from './open-updater.ts';
import { RELEASE_PAGE } from './release-page.ts';
import { toUpdateProblem } from './to-update-problem.ts';

/** A download that delivers no data for this long is aborted. */
const STALL_TIMEOUT_MS = 60_000;

/** The window is closed during an installation, so the process must end even if the installation does not. */
const INSTALL_TIMEOUT_MS = 120_000;

const Kept = z.object({
  checkedAt: z.number().nullable().catch(null),
  notInstalled: z.string().nullable().catch(null),
});
type Kept = z.infer<typeof Kept>;

interface UpdatesOptions {
  support: UpdateSupport;
  /** The folder of the app's own data. */
  home: string;
  log: AppLog;
}

/** Creates updates through electron-updater, which is loaded at the first check. */
export function createUpdates({ support, home, log }: UpdatesOptions): Updates {
  const path = join(home, 'updates.json');
  let opened: OpenedUpdater | null = null;

  async function readKept(): Promise<Kept> {
    try {
      return Kept.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch {
      // Absent before the first check. If it is damaged, the next check runs earlier.
      return { checkedAt: null, notInstalled: null };
    }
  }

  async function keep(change: Partial<Kept>): Promise<void> {
    await writeFile(`${path}.new`, JSON.stringify({ ...(await readKept()), ...change }));
    await rename(`${path}.new`, path);
  }

  async function find(feed: string | null): Promise<UpdateFinding> {
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
    readKept,
    keepCheck: (at) => keep({ checkedAt: at, notInstalled: null }),
    async check(feed) {
      try {
        return await find(feed);
      } catch (error) {
        log.error('update check', error);
        return { kind: 'failed', problem: toUpdateProblem(error, 'check') };
      }
    },
    async download(onProgress, signal) {
      if (!opened) return 'unknown';
      const { updater } = opened;
      const token = opened.createToken();
      const stop = () => token.cancel();
      let timer = setTimeout(stop, STALL_TIMEOUT_MS);
      const note = ({ percent }: { percent: number }) => {
        clearTimeout(timer);
        timer = setTimeout(stop, STALL_TIMEOUT_MS);
        onProgress(percent);
      };
      signal.addEventListener('abort', stop);
      updater.on('download-progress', note);
      try {
        await updater.downloadUpdate(token);
        return null;
      } catch (error) {
        if (signal.aborted) return 'cut';
        log.error('update download', error);
        return token.cancelled ? 'cut' : toUpdateProblem(error, 'download');
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        updater.off('download-progress', note);
      }
    },
    async install(version) {
      try {
        if (!opened) throw new Error('There is no download to install.');
        await settleIn(opened.install(), INSTALL_TIMEOUT_MS);
        log.info(`Version ${version} was installed.`);
        await keep({ notInstalled: null });
      } catch (error) {
        log.error('update installation', error);
        await keep({ notInstalled: version }).catch((cause: unknown) => log.error('updates.json', cause));
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
