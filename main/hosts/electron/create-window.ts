import { BrowserWindow, type Session } from 'electron';
import { askBeforeLeaving } from './ask-before-leaving.ts';
import { PAGE_ORIGIN, PAGE_URL } from './page-protocol.ts';
import type { WindowState } from './window-state.ts';

/** Where the stage may be: loopback, over http. */
const STAGE_URL = /^http:\/\/127\.0\.0\.1:\d+\//;

interface WindowPorts {
  session: Session;
  preload: string;
  state: WindowState;
  /** Connects the app before the page's first call can arrive. */
  attach: (window: BrowserWindow) => void;
}

/**
 * The one window. The page in it is sandboxed and has no Node; it can go nowhere, open nothing and ask for no
 * permission. A frame in it may only show the stage.
 */
export async function createWindow({ session, preload, state, attach }: WindowPorts): Promise<BrowserWindow> {
  const { isMaximized, place, width, height } = await state.read();
  const window = new BrowserWindow({
    ...place,
    width,
    height,
    minWidth: 900,
    minHeight: 600,
    show: false,
    autoHideMenuBar: true,
    title: 'WebGAL Agent',
    backgroundColor: '#1b1a1f',
    webPreferences: {
      session,
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      spellcheck: false,
      // The stage keeps playing while she looks at another window, and its sounds need no click first.
      backgroundThrottling: false,
      autoplayPolicy: 'no-user-gesture-required',
    },
  });
  refuseToLeave(window);
  askBeforeLeaving(window);
  attach(window);
  state.follow(window);
  window.once('ready-to-show', () => {
    if (isMaximized) window.maximize();
    window.show();
  });
  await window.loadURL(PAGE_URL);
  return window;
}

/**
 * Clears what games stored in earlier runs. The stage shares the page's session, and its port, and so its origin, is
 * another on each start: what is left there could only grow, or come up in some other game on the same port.
 */
export async function forgetStages(session: Session): Promise<void> {
  await session.clearData({
    dataTypes: ['fileSystems', 'indexedDB', 'localStorage', 'serviceWorkers'],
    excludeOrigins: [PAGE_ORIGIN],
    // The stage lies in the page's frame: by the top page's site it would count as the page's own.
    originMatchingMode: 'origin-in-all-contexts',
  });
}

/**
 * Nothing in this session is granted: not to the page, and not to the game in the frame. What may be saved are files the
 * page itself has made, each where she says.
 */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${PAGE_ORIGIN}/`)) event.preventDefault();
  });
}

function refuseToLeave(window: BrowserWindow): void {
  const { webContents } = window;
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('will-frame-navigate', (event) => {
    const isAllowed = event.isMainFrame ? isPage(event.url) : STAGE_URL.test(event.url);
    if (!isAllowed) event.preventDefault();
  });
  webContents.on('will-redirect', (event) => {
    if (event.isMainFrame) event.preventDefault();
  });
  webContents.on('will-attach-webview', (event) => event.preventDefault());
}

function isPage(url: string): boolean {
  return url.startsWith(`${PAGE_ORIGIN}/`);
}
