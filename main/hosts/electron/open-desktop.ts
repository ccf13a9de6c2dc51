import { join } from 'node:path';
import { app, session, type WebContents } from 'electron';
import { openStages } from '../../compose-stages.ts';
import { toStagePattern } from '../../network/allowed-addresses.ts';
import { createPageFiles } from '../page/page-files.ts';
import { logPageErrors } from './diagnosis/log-page-errors.ts';
import { offerSafeMode, restartApp } from './diagnosis/safe-mode.ts';
import { FAILED_STARTS_FOR_OFFER } from './diagnosis/start-record.ts';
import { withholdDictionaries } from './integration/follow-spelling.ts';
import type { LiveSettings } from './live-settings.ts';
import { PAGE_ORIGIN, servePageProtocol } from './page-protocol.ts';
import { serveIpc } from './serve-ipc.ts';
import type { StartContext } from './start-context.ts';
import { findDesktopText } from './text/desktop-text.ts';
import { boundGames } from './window/bound-games.ts';
import { createWindow, guardPermissions } from './window/create-window.ts';
import { endFloods } from './window/end-floods.ts';
import { isolateNetwork } from './window/isolate-network.ts';
import { recoverWindow } from './window/recover-window.ts';
import { showAgain } from './window/show-again.ts';
import { APP_WINDOW, createWindowState, STAGE_WINDOW } from './window/window-state.ts';

/** Persistent: the page stores the layout and the open tabs. Data of games is cleared at the next start. */
const PARTITION = 'persist:webgal-agent';

/**
 * Opens the app's window. Resolves when the window shows the page; rejects when no window can be opened. The app is loaded and
 * created while the window starts; calls of the page wait for it.
 */
export async function openDesktop(start: StartContext): Promise<void> {
  const { out, data, log, isSafe, requests, failedStarts } = start;
  log.info(describeStart(isSafe));
  if (!isSafe && failedStarts >= FAILED_STARTS_FOR_OFFER && (await offerSafeMode())) {
    restartApp({ isSafe: true });
    return;
  }
  // Safe mode uses an empty profile in memory: the default layout, and no data that could be damaged.
  const page = session.fromPartition(isSafe ? 'safe-mode' : PARTITION);
  guardPermissions(page);
  // The default session shows no page, but downloads dictionaries as well.
  for (const each of [page, session.defaultSession]) withholdDictionaries(each);
  // Before the page is served, because its policy contains the port of the stages.
  const stages = await openStages(out);
  stages.embedIn(PAGE_ORIGIN);
  const wall = await isolateNetwork(page, stages.source);
  servePageProtocol(page, await createPageFiles(join(out, 'renderer')), stages.source);
  const isWindowMade = Promise.withResolvers<void>();
  const isPageConnected = Promise.withResolvers<void>();
  // The page's process starts meanwhile. Loading the app before the window would delay it.
  const loaded = isWindowMade.promise.then(() => import('./open-app.ts'));
  const opened = loaded.then(({ openApp }) => openApp(start, { page, stages, wall }));
  let settings: LiveSettings | null = null;
  // The system's language until the settings are read.
  const text = () => findDesktopText(settings?.current().locale ?? app.getLocale());
  const watchConsole = (contents: WebContents) => {
    logPageErrors(contents, log);
    endFloods(contents, () => {
      log.error('stage', 'writes to its console without end');
      void opened.then(({ composed }) => composed.app.emit('stage.stopped', { reason: 'messages' }));
    });
  };
  const window = createWindow({
    session: page,
    text,
    preload: join(out, 'preload', 'index.cjs'),
    stagePattern: toStagePattern(stages.source),
    state: createWindowState(data, APP_WINDOW),
    stageState: createWindowState(data, STAGE_WINDOW),
    onStageWindow: ({ webContents }) => watchConsole(webContents),
    hasFixedPlace: isSafe,
    attach: (created) => {
      const stop = serveIpc(
        opened.then(({ composed }) => composed.app),
        created.webContents,
        isPageConnected.resolve,
      );
      created.once('closed', stop);
      watchConsole(created.webContents);
      recoverWindow(created, log, text);
      void Promise.all([loaded, opened]).then(([{ integrateDesktop }, { composed, api, settings: live }]) => {
        settings = live;
        if (!created.isDestroyed()) integrateDesktop(created, { composed, api, settings: live, text, log });
      });
      isWindowMade.resolve();
    },
  });
  const [{ composed, refused }] = await Promise.all([opened, window]);
  boundGames(() => {
    log.error('stage', 'needs too much memory');
    composed.app.emit('stage.stopped', { reason: 'memory' });
  });
  start.onStarted();
  composed.app.begin();
  // The page opens it: only the page has the unsaved state of the open game, and it words the reason if that fails.
  const offer = (folder: string | null) => {
    if (folder !== null) void isPageConnected.promise.then(() => composed.offerFolder(folder));
  };
  offer(refused);
  requests.on((request) => {
    void window.then(showAgain);
    if (request.isSafe && !isSafe)
      composed.app.emit('app.noticed', { level: 'info', reason: 'app.alreadyOpen', details: {} });
    offer(request.folder);
  });
}

function describeStart(isSafe: boolean): string {
  const { electron, chrome, node } = process.versions;
  const mode = isSafe ? ', safe mode' : '';
  return `started ${app.getVersion()}: Electron ${electron}, Chromium ${chrome}, Node ${node}, ${process.platform} ${process.arch}, process ${process.pid}${mode}`;
}
