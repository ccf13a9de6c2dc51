import { app, BrowserWindow, dialog, shell } from 'electron';
import { AppError } from '../../../shared/errors.ts';
import type { Host } from '../../core/ports.ts';

/** What the desktop alone can do: the system's folder dialog and browser. */
export function createElectronHost(): Host {
  return {
    kind: 'electron',
    platform: process.platform,
    systemLocale: app.getLocale(),
    async pickFolder() {
      const [window] = BrowserWindow.getAllWindows();
      const options = { properties: ['openDirectory' as const] };
      const picked = window ? await dialog.showOpenDialog(window, options) : await dialog.showOpenDialog(options);
      return picked.canceled ? null : (picked.filePaths[0] ?? null);
    },
    async openLink(url) {
      // The contract lets https through only; this is the last door before the system, so it looks again.
      if (!url.startsWith('https://')) throw new AppError('E_POLICY_VIOLATION', 'Only https links are opened.');
      await shell.openExternal(url);
    },
  };
}
