import { autoUpdater as native } from 'electron';
import { AppImageUpdater, type AppUpdater, CancellationToken, MacUpdater, NsisUpdater } from 'electron-updater';
import { DownloadedUpdateHelper } from 'electron-updater/out/DownloadedUpdateHelper.js';
import { GenericProvider } from 'electron-updater/out/providers/GenericProvider.js';
import { GitHubProvider } from 'electron-updater/out/providers/GitHubProvider.js';
import type { Provider } from 'electron-updater/out/providers/Provider.js';
import { mayRedirectUpdate, RELEASES, toUpdateServer } from '../../../network/allowed-addresses.ts';
import { boundRequests, type HttpExecutor } from './bound-requests.ts';
import { checkFileUrl, type FeedInfo, toFeedInfo } from './check-feed.ts';
import { replaceAppImage } from './replace-app-image.ts';

/** Size limit of a feed, in bytes. */
const MAX_FEED_BYTES = 1024 * 1024;
/** Size limit of a file whose size the feed does not name. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/** The only module that imports electron-updater, so that it is a separate chunk that is loaded long after the window. */

interface Log {
  info(message: string): void;
  error(where: string, error: unknown): void;
}

interface OpenOptions {
  /** The folder for downloads. */
  folder: string;
  /** The feed's URL; null for the release page. */
  feed: string | null;
  log: Log;
}

/** The members of electron-updater that this module replaces; they are protected in its types. */
interface Inside {
  downloadedUpdateHelper: DownloadedUpdateHelper;
  getUpdateInfoAndProvider(): Promise<{ info: FeedInfo; provider: Provider<never> }>;
  isUpdaterActive(): boolean;
  httpExecutor: HttpExecutor;
}

export interface OpenedUpdater {
  updater: AppUpdater;
  /** Ends one download. */
  createToken(): CancellationToken;
  /** Replaces the running app with the downloaded file. Rejects on failure. */
  install(): Promise<void>;
}

/** Creates an updater for one feed. It validates the feed and sends nothing that identifies the installation. */
export function openUpdater({ folder, feed, log }: OpenOptions): OpenedUpdater {
  const updater = createUpdater();
  updater.logger = {
    info: () => undefined,
    warn: (message) => log.info(`update: ${String(message)}`),
    error: (message) => log.error('update', message),
  };
  updater.autoDownload = false;
  // The core decides at quit, because it has the state of unsaved work.
  updater.autoInstallOnAppQuit = false;
  updater.autoRunAppAfterInstall = false;
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  // Whole files only, so that there is one code path to verify and test.
  updater.disableDifferentialDownload = true;
  const inside = updater as unknown as Inside;
  let limit = { bytes: MAX_FEED_BYTES, code: 'ERR_UPDATER_INVALID_UPDATE_INFO' };
  boundRequests(inside.httpExecutor, {
    limit: () => limit,
    mayRedirect: (protocol, host) => mayRedirectUpdate(feed, protocol, host),
  });
  const provider = createProvider(feed, updater, inside.httpExecutor);
  const helper = new DownloadedUpdateHelper(folder);
  inside.downloadedUpdateHelper = helper;
  // `findUpdateSupport` has already decided.
  inside.isUpdaterActive = () => true;
  // Replaces the original, which sends an id of this installation for staged rollouts.
  inside.getUpdateInfoAndProvider = async () => {
    const info = toFeedInfo(await provider.getLatestVersion());
    const bytes = Math.max(...info.files.map(({ size }) => size ?? MAX_FILE_BYTES));
    limit = { bytes, code: 'ERR_CHECKSUM_MISMATCH' };
    return { info, provider };
  };

  return {
    updater,
    createToken: () => new CancellationToken(),
    async install() {
      if (updater instanceof AppImageUpdater) {
        const { file, downloadedFileInfo } = helper;
        if (file === null || downloadedFileInfo === null) throw new Error('There is no download to install.');
        await replaceAppImage({ target: process.env.APPIMAGE ?? '', source: file, sha512: downloadedFileInfo.sha512 });
      } else if (updater instanceof NsisUpdater) {
        // Silent. The installer waits for the app to end.
        if (!updater.install(true, false)) throw new Error('The installer did not start.');
      } else {
        await installWithSquirrel(updater);
      }
    },
  };
}

function createUpdater(): AppUpdater {
  if (process.platform === 'win32') return new NsisUpdater();
  if (process.platform === 'darwin') return new MacUpdater();
  return new AppImageUpdater();
}

function createProvider(feed: string | null, updater: AppUpdater, executor: unknown): Provider<never> {
  const runtime = { isUseMultipleRangeRequest: false, platform: process.platform, executor } as never;
  const provider =
    feed === null
      ? new GitHubProvider({ provider: 'github', ...RELEASES }, updater, runtime)
      : new GenericProvider({ provider: 'generic', url: feed }, updater, runtime);
  const server = toUpdateServer(feed);
  const resolveFiles = provider.resolveFiles.bind(provider) as (info: never) => { url: URL }[];
  Object.assign(provider, {
    resolveFiles(info: never) {
      const files = resolveFiles(info);
      for (const { url } of files) checkFileUrl(url, server);
      return files;
    },
  });
  return provider as unknown as Provider<never>;
}

/** Passes the download to Squirrel.Mac, which verifies the signature and replaces the app after it has ended. */
function installWithSquirrel(updater: AppUpdater): Promise<void> {
  return new Promise((resolve, reject) => {
    native.once('update-downloaded', () => resolve());
    native.once('error', reject);
    updater.quitAndInstall();
  });
}
