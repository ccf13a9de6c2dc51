import { release } from 'node:os';
import { app, dialog, shell } from 'electron';
import { AppError } from '../../../shared/errors.ts';
import type { Host } from '../../core/ports/host.ts';
import { assertLink, assertSignInPage } from '../../network/allowed-addresses.ts';
import type { AppLog } from './diagnosis/app-log.ts';
import { restartApp } from './diagnosis/safe-mode.ts';
import { findAppWindow } from './window/find-app-window.ts';

/** Number of log lines in the details that the page copies. */
const DETAIL_LINES = 40;

interface ElectronHostOptions {
  log: AppLog;
  isSafe: boolean;
}

/** Creates the desktop's host functions: the system's folder dialog and browser, the log, and restarting. */
export function createElectronHost({ log, isSafe }: ElectronHostOptions): Host {
  return {
    kind: 'electron',
    platform: process.platform,
    systemLocale: app.getLocale(),
    isSafeMode: isSafe,
    details: async () => ({ versions: toVersions(), log: log.tail(DETAIL_LINES) }),
    restart: async () => restartApp({ isSafe: false }),
    async pickFolder() {
      const window = findAppWindow();
      const options = { properties: ['openDirectory' as const] };
      const picked = window ? await dialog.showOpenDialog(window, options) : await dialog.showOpenDialog(options);
      return picked.canceled ? null : (picked.filePaths[0] ?? null);
    },
    capture: captureWindow,
    async openLink(url) {
      assertLink(url);
      await shell.openExternal(url);
    },
    async openSignInPage(url) {
      assertSignInPage(url);
      await shell.openExternal(url);
    },
  };
}

/** Models get no use out of more, and each pixel costs. */
const MAX_SIDE = 1024;
const JPEG_QUALITY = 80;

async function captureWindow(area: Electron.Rectangle): Promise<string> {
  const window = findAppWindow();
  if (!window) throw new AppError('E_UNSUPPORTED', 'There is no window.', { reason: 'stage.noCamera' });
  const zoom = window.webContents.getZoomFactor();
  const rounded = (value: number) => Math.round(value * zoom);
  const { x, y, width, height } = area;
  const image = await window.webContents.capturePage({
    ...{ x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) },
  });
  const size = image.getSize();
  const scale = Math.min(1, MAX_SIDE / Math.max(size.width, size.height, 1));
  return image
    .resize({ width: Math.max(1, Math.round(size.width * scale)) })
    .toJPEG(JPEG_QUALITY)
    .toString('base64');
}

function toVersions(): Record<string, string> {
  const { electron = '', chrome = '', node } = process.versions;
  return {
    Electron: electron,
    Chromium: chrome,
    Node: node,
    System: `${process.platform} ${release()} ${process.arch}`,
  };
}
