import type { BrowserWindow } from 'electron';
import { toWindowColour } from '../integration/follow-theme.ts';
import { STAGE_WINDOW_URL } from '../page-protocol.ts';
import { showAgain } from './show-again.ts';
import { STAGE_WINDOW, toFirstBounds, type WindowState } from './window-state.ts';
import { keepInside, toWebPreferences } from './window-walls.ts';

interface StageWindowPorts {
  /** Matches the URLs of the stages of this run, the only URLs that a frame may show. */
  stagePattern: RegExp;
  /** Null: opens with the default bounds and does not store changes. */
  state: WindowState | null;
  onOpened: (window: BrowserWindow) => void;
}

/**
 * Lets the app's page open one more window, for the stage: a page of the app without a preload, so without a way to the app, in the
 * page's own session with all that its walls refuse. It closes with the app's window. Every other window is refused.
 */
export function offerStageWindow(owner: BrowserWindow, { stagePattern, state, onOpened }: StageWindowPorts): void {
  let opened: BrowserWindow | null = null;
  let isMaximized = false;
  owner.webContents.setWindowOpenHandler(({ url }) => {
    if (url !== STAGE_WINDOW_URL) return { action: 'deny' };
    if (opened !== null && !opened.isDestroyed()) {
      showAgain(opened);
      return { action: 'deny' };
    }
    const { place, width, height, ...bounds } = state?.read() ?? toFirstBounds(STAGE_WINDOW);
    isMaximized = bounds.isMaximized;
    const { minWidth, minHeight } = STAGE_WINDOW;
    return {
      action: 'allow',
      outlivesOpener: false,
      overrideBrowserWindowOptions: {
        ...place,
        ...{ width, height, minWidth, minHeight, backgroundColor: toWindowColour() },
        ...{ title: 'WebGAL Agent', webPreferences: toWebPreferences() },
      },
    };
  });
  owner.webContents.on('did-create-window', (window) => {
    opened = window;
    const { webContents } = window;
    keepInside(webContents, { stagePattern, isOwnPage: (url) => url === STAGE_WINDOW_URL });
    webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
    // The app's menu acts on the app's window; the two keys of a window are here.
    window.removeMenu();
    webContents.on('before-input-event', (event, { type, key, control, meta }) => {
      const isClose = key.toLowerCase() === 'w' && (process.platform === 'darwin' ? meta : control);
      if (type !== 'keyDown' || (!isClose && key !== 'F11')) return;
      event.preventDefault();
      if (isClose) window.close();
      else window.setFullScreen(!window.isFullScreen());
    });
    webContents.on('render-process-gone', () => window.destroy());
    if (isMaximized) window.maximize();
    state?.follow(window);
    window.once('closed', () => {
      if (opened === window) opened = null;
    });
    onOpened(window);
  });
  owner.once('closed', () => {
    if (opened !== null && !opened.isDestroyed()) opened.destroy();
  });
}
