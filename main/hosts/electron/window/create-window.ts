import { BrowserWindow, type Session } from 'electron';
import { toWindowColour } from '../integration/follow-theme.ts';
import { PAGE_ORIGIN, PAGE_URL } from '../page-protocol.ts';
import type { DesktopText } from '../text/desktop-text.ts';
import { guardClosing } from './guard-closing.ts';
import { offerStageWindow } from './stage-window.ts';
import { APP_WINDOW, toFirstBounds, type WindowState } from './window-state.ts';
import { keepInside, toWebPreferences } from './window-walls.ts';

interface WindowPorts {
  session: Session;
  preload: string;
  state: WindowState;
  /** The bounds of the stage's own window. */
  stageState: WindowState;
  onStageWindow: (window: BrowserWindow) => void;
  /** Matches the URLs of the stages of this run, the only URLs that a frame may show. */
  stagePattern: RegExp;
  /** True: opens with the default bounds and does not store changes. */
  hasFixedPlace: boolean;
  /** Returns the texts in the app's current language. */
  text: () => DesktopText;
  /** Connects the app before the page's first call can arrive. */
  attach: (window: BrowserWindow) => void;
}

/**
 * Creates the app's window. Its page is sandboxed and has no Node integration; it cannot navigate or get permissions, and of windows
 * it can open the stage's only. A frame in it may only show the stage.
 */
export async function createWindow(ports: WindowPorts): Promise<BrowserWindow> {
  const { session, preload, state, stagePattern, hasFixedPlace, text, attach } = ports;
  const { isMaximized, place, width, height } = hasFixedPlace ? toFirstBounds(APP_WINDOW) : state.read();
  const window = new BrowserWindow({
    ...place,
    width,
    height,
    minWidth: APP_WINDOW.minWidth,
    minHeight: APP_WINDOW.minHeight,
    show: false,
    title: 'WebGAL Agent',
    backgroundColor: toWindowColour(),
    webPreferences: toWebPreferences({ session, preload }),
  });
  keepInside(window.webContents, { stagePattern, isOwnPage: isPage });
  offerStageWindow(window, {
    stagePattern,
    state: hasFixedPlace ? null : ports.stageState,
    onOpened: ports.onStageWindow,
  });
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
 * Clears data that games stored in earlier runs. The stage shares the page's session, and its origin changes with the port at
 * each start: old data would accumulate, or become readable for another game on the same port.
 */
export async function forgetStages(session: Session): Promise<void> {
  // The page uses none of these storages.
  await session.clearStorageData({ storages: ['cookies', 'cachestorage'] });
  await session.clearAuthCache();
  await session.clearData({
    dataTypes: ['fileSystems', 'indexedDB', 'localStorage', 'serviceWorkers'],
    excludeOrigins: [PAGE_ORIGIN],
    // The stage is a frame of the page: by the site of the top page it would match the page's own data.
    originMatchingMode: 'origin-in-all-contexts',
  });
}

/** Reading is needed by the editor's own menu, which has no other way to paste. */
const CLIPBOARD: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'clipboard-read']);
/** The stage fills the screen after a click on the page's own menu. */
const SCREEN = 'fullscreen';

/**
 * Grants the clipboard and the whole screen to the page and denies every other permission in this session. The game in the frame gets none, because
 * the clipboard may contain text from other programs. Allows downloads of files that the page created, with a save dialog.
 */
export function guardPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(
      (CLIPBOARD.has(permission) || permission === SCREEN) && details.isMainFrame && isPage(details.requestingUrl),
    ),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame }) =>
      CLIPBOARD.has(permission) && isMainFrame && isPage(`${origin.replace(/\/$/, '')}/`),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${PAGE_ORIGIN}/`)) event.preventDefault();
    // Without a path Electron shows a save dialog; without a title the dialog shows the URL.
    else item.setSaveDialogOptions({ title: item.getFilename() });
  });
}

function isPage(url: string): boolean {
  return url.startsWith(`${PAGE_ORIGIN}/`);
}
