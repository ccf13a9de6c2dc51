import { BrowserWindow, type Session } from 'electron';
import { toWindowColour } from '../manners/follow-theme.ts';
import { PAGE_ORIGIN, PAGE_URL } from '../page-protocol.ts';
import type { DesktopText } from '../text/desktop-text.ts';
import { guardClosing } from './guard-closing.ts';
import { FIRST_TIME, MIN_HEIGHT, MIN_WIDTH, type WindowState } from './window-state.ts';

interface WindowPorts {
  session: Session;
  preload: string;
  state: WindowState;
  /** Matches the addresses of the stages of this run: the only place a frame may show. */
  stagePattern: RegExp;
  /** True: opens as on the first day, and what becomes of the bounds is not stored. */
  hasFixedPlace: boolean;
  /** The texts in the language that the app speaks now. */
  text: () => DesktopText;
  /** Connects the app before the page's first call can arrive. */
  attach: (window: BrowserWindow) => void;
}

/**
 * The one window. The page in it is sandboxed and has no Node; it can go nowhere, open nothing and ask for no
 * permission. A frame in it may only show the stage.
 */
export async function createWindow(ports: WindowPorts): Promise<BrowserWindow> {
  const { session, preload, state, stagePattern, hasFixedPlace, text, attach } = ports;
  const { isMaximized, place, width, height } = hasFixedPlace ? FIRST_TIME : await state.read();
  const window = new BrowserWindow({
    ...place,
    width,
    height,
    minWidth: MIN_WIDTH,
    minHeight: MIN_HEIGHT,
    show: false,
    title: 'WebGAL Agent',
    backgroundColor: toWindowColour(),
    webPreferences: {
      session,
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      // The session decides (`follow-spelling.ts`); a page made without it could not be checked later.
      spellcheck: true,
      // Makes Chromium obey the stage frame's `focus-without-user-activation`.
      enableBlinkFeatures: 'BlockingFocusWithoutUserActivation',
      // A hidden window counts as hidden for the page and for the stage: the engine stops drawing.
      backgroundThrottling: true,
      // The stage's sounds need no click first.
      autoplayPolicy: 'no-user-gesture-required',
    },
  });
  refuseToLeave(window, stagePattern);
  // No packets past the session's own proxy rules, whatever a game's scripts set up.
  window.webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  guardClosing(window, text);
  attach(window);
  if (!hasFixedPlace) state.follow(window);
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
  // The page stores nothing of these kinds.
  await session.clearStorageData({ storages: ['cookies', 'cachestorage'] });
  await session.clearAuthCache();
  await session.clearData({
    dataTypes: ['fileSystems', 'indexedDB', 'localStorage', 'serviceWorkers'],
    excludeOrigins: [PAGE_ORIGIN],
    // The stage lies in the page's frame: by the top page's site it would count as the page's own.
    originMatchingMode: 'origin-in-all-contexts',
  });
}

/** Writing the clipboard, and reading it: the editor's own menu has no other way to paste. */
const CLIPBOARD: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'clipboard-read']);

/**
 * Only the clipboard is granted in this session, and to the page alone. The game in the frame is granted nothing: the
 * clipboard may hold what the user copied elsewhere. What may be saved are files the page itself has made, each where the
 * user says.
 */
export function guardPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(CLIPBOARD.has(permission) && details.isMainFrame && isPage(details.requestingUrl)),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame }) =>
      CLIPBOARD.has(permission) && isMainFrame && isPage(`${origin.replace(/\/$/, '')}/`),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${PAGE_ORIGIN}/`)) event.preventDefault();
    // Without a path Electron asks for one; without a title it shows the address.
    else item.setSaveDialogOptions({ title: item.getFilename() });
  });
}

function refuseToLeave(window: BrowserWindow, stagePattern: RegExp): void {
  const { webContents } = window;
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('will-frame-navigate', (event) => {
    const isAllowed = event.isMainFrame ? isPage(event.url) : stagePattern.test(event.url);
    if (!isAllowed) event.preventDefault();
  });
  webContents.on('will-redirect', (event) => {
    if (event.isMainFrame) event.preventDefault();
  });
  // A game may not hold its frame open; what is unsaved in the page itself is asked about before (`guard-closing.ts`), and
  // kept by the app over a reload.
  webContents.on('will-prevent-unload', (event) => event.preventDefault());
  webContents.on('will-attach-webview', (event) => event.preventDefault());
}

function isPage(url: string): boolean {
  return url.startsWith(`${PAGE_ORIGIN}/`);
}
