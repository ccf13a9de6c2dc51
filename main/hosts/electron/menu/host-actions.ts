import { dirname } from 'node:path';
import { app, type BrowserWindow, shell } from 'electron';
import type { IntegrationPorts } from '../integration/integration-ports.ts';
import { zoomWindow } from '../integration/zoom-window.ts';

/** Menu actions that the host runs itself. */
export interface HostActions {
  zoom(step: 'in' | 'out' | 'reset'): void;
  openLogFolder(): void;
  showAbout(): void;
}

export function createHostActions(
  window: BrowserWindow,
  { api, log }: Pick<IntegrationPorts, 'api' | 'log'>,
): HostActions {
  // Electron would show its own version while the app is not packaged.
  void api.call('app.info', {}).then(({ version }) =>
    app.setAboutPanelOptions({
      ...{ applicationName: 'WebGAL Agent', applicationVersion: version, copyright: 'MPL-2.0' },
      version: `Electron ${process.versions.electron}, Chromium ${process.versions.chrome}`,
    }),
  );
  return {
    zoom: (step) => zoomWindow(window, step),
    openLogFolder: () => void shell.openPath(dirname(log.path)),
    showAbout: () => app.showAboutPanel(),
  };
}
