import { release } from 'node:os';
import { app, BrowserWindow, dialog, shell } from 'electron';
import type { Host } from '../../core/ports/host.ts';
import { assertLink } from '../../network/allowed-addresses.ts';
import type { AppLog } from './diagnosis/app-log.ts';
import { restartApp } from './diagnosis/safe-mode.ts';

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
      const [window] = BrowserWindow.getAllWindows();
      const options = { properties: ['openDirectory' as const] };
      const picked = window ? await dialog.showOpenDialog(window, options) : await dialog.showOpenDialog(options);
      return picked.canceled ? null : (picked.filePaths[0] ?? null);
    },
    async openLink(url) {
      assertLink(url);
      await shell.openExternal(url);
    },
  };
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
