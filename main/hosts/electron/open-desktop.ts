import { join } from 'node:path';
import { app, dialog, net, type Session, session } from 'electron';
import type { AppApi } from '../../../shared/contract.ts';
import type { UpdateSupport } from '../../../shared/model/updates.ts';
import { type Composed, compose, openStages, type Stages } from '../../compose.ts';
import { createPageFiles } from '../page/page-files.ts';
import { createAppClient } from './app-client.ts';
import type { AppLog } from './diagnosis/app-log.ts';
import { logPageErrors } from './diagnosis/log-page-errors.ts';
import { offerSafeMode, restartApp } from './diagnosis/safe-mode.ts';
import { FAILED_STARTS_FOR_OFFER } from './diagnosis/start-record.ts';
import { createElectronHost } from './electron-host.ts';
import { type LiveSettings, openLiveSettings } from './live-settings.ts';
import { addManners } from './manners/add-manners.ts';
import { followSpelling, withholdDictionaries } from './manners/follow-spelling.ts';
import { followTheme } from './manners/follow-theme.ts';
import type { OpenRequest } from './open-request.ts';
import { PAGE_ORIGIN, servePageProtocol } from './page-protocol.ts';
import { serveIpc } from './serve-ipc.ts';
import type { OpenRequests } from './start-desktop.ts';
import { findDesktopText } from './text/desktop-text.ts';
import { createUpdates } from './updates/create-updates.ts';
import { findUpdateSupport } from './updates/find-update-support.ts';
import { createWindow, forgetStages, guardPermissions } from './window/create-window.ts';
import { isolateNetwork, type NetworkWall, toStagePattern } from './window/isolate-network.ts';
import { recoverWindow } from './window/recover-window.ts';
import { showAgain } from './window/show-again.ts';
import { createWindowState } from './window/window-state.ts';

/** On the disk: the page keeps the layout and the open tabs. What games store is cleared at the next start. */
const PARTITION = 'persist:webgal-agent';

/** What the entry hands over once Electron is ready. */
export interface DesktopStart {
  /** The folder that the build leaves. */
  out: string;
  /** The folder of the app's own data. */
  data: string;
  log: AppLog;
  isSafe: boolean;
  request: OpenRequest;
  requests: OpenRequests;
  /** How many starts before this one, in a row, did not get to the page. */
  failedStarts: number;
  /** Called once the page is there. */
  onStarted: () => void;
}

/**
 * Opens the window on the app. Resolves when the window shows the page; rejects when there can be no window. Window and app
 * are made at the same time: what the page asks meanwhile is answered once the app is there.
 */
export async function openDesktop(start: DesktopStart): Promise<void> {
  const { out, data, log, isSafe, requests, failedStarts } = start;
  log.info(describeStart(isSafe));
  if (!isSafe && failedStarts >= FAILED_STARTS_FOR_OFFER && (await offerSafeMode())) {
    restartApp({ isSafe: true });
    return;
  }
  // In memory, safe mode's profile is empty: the layout of the first day, and no data that could be damaged.
  const page = session.fromPartition(isSafe ? 'safe-mode' : PARTITION);
  guardPermissions(page);
  // The default session shows no page, but downloads as well.
  for (const each of [page, session.defaultSession]) withholdDictionaries(each);
  // Before the page is served: its policy names the port of the stages.
  const stages = await openStages(out);
  stages.embedIn(PAGE_ORIGIN);
  const wall = await isolateNetwork(page, stages.source);
  servePageProtocol(page, await createPageFiles(join(out, 'renderer')), stages.source);
  const opened = openApp(start, { page, stages, wall });
  let settings: LiveSettings | null = null;
  // The system's language until the settings were read.
  const text = () => findDesktopText(settings?.current().locale ?? app.getLocale());
  const window = createWindow({
    session: page,
    text,
    preload: join(out, 'preload', 'index.cjs'),
    stagePattern: toStagePattern(stages.source),
    state: createWindowState(data),
    hasFixedPlace: isSafe,
    attach: (created) => {
      const stop = serveIpc(
        opened.then(({ composed }) => composed.app),
        created.webContents,
      );
      created.once('closed', stop);
      logPageErrors(created.webContents, log);
      recoverWindow(created, log, text);
      void opened.then(({ composed, api, settings: live }) => {
        settings = live;
        if (!created.isDestroyed()) addManners(created, { composed, api, settings: live, text, log });
      });
    },
  });
  const [{ composed }] = await Promise.all([opened, window]);
  start.onStarted();
  composed.app.begin();
  requests.on(({ folder }) => {
    void window.then(showAgain);
    // The page opens it, because only the page can tell whether the open game may be left.
    if (folder !== null) composed.offerFolder(folder);
  });
}

function findSupport(): UpdateSupport {
  const { platform, env: environment, execPath: program } = process;
  return findUpdateSupport({ isPackaged: app.isPackaged, platform, environment, program, name: app.getName() });
}

/** The application, with the game open that the start named, and what the host itself follows of it. */
interface OpenedApp {
  composed: Composed;
  api: AppApi;
  settings: LiveSettings;
}

async function openApp(
  { out, data, log, isSafe, request }: DesktopStart,
  { page, stages, wall }: { page: Session; stages: Stages; wall: NetworkWall },
): Promise<OpenedApp> {
  const [composed] = await Promise.all([
    compose({
      host: createElectronHost({ log, isSafe }),
      resources: out,
      environment: process.env,
      stages,
      // Chromium's network has the system's proxy and certificates.
      fetch: (input, init) => net.fetch(input instanceof URL ? input.href : input, init),
      updates: createUpdates({ support: findSupport(), home: data, log }),
      onFault: ({ where, error }) => log.error(where, error),
    }),
    // Before a game can be opened. Data left over from another is no reason not to open.
    forgetStages(page).catch((error: unknown) => log.error('forget stages', error)),
  ]);
  quitAfterClosing(composed);
  const api = createAppClient(composed.app);
  const settings = await openLiveSettings(api);
  followTheme(settings);
  followSpelling(page, settings, wall);
  if (request.folder !== null) await openNamedProject(composed, request.folder);
  return { composed, api, settings };
}

async function openNamedProject(composed: Composed, folder: string): Promise<void> {
  const reply = await composed.openFolder(folder);
  // The welcome page is there to choose from; waiting for the answer would keep it from showing.
  if (!reply.ok) void dialog.showMessageBox({ type: 'error', title: 'WebGAL Agent', message: reply.error.message });
}

function describeStart(isSafe: boolean): string {
  const { electron, chrome, node } = process.versions;
  const mode = isSafe ? ', safe mode' : '';
  return `started ${app.getVersion()}: Electron ${electron}, Chromium ${chrome}, Node ${node}, ${process.platform} ${process.arch}, process ${process.pid}${mode}`;
}

/** Ends the process with the window, on macOS too, after everything that runs was stopped. */
function quitAfterClosing(composed: Composed): void {
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    // `quit` again would be ignored when the disposal ends early in the quit that is under way (seen on Electron 33).
    void composed.dispose().finally(() => app.exit(0));
  });
}
