import { app, dialog, net, type Session } from 'electron';
import type { AppApi } from '../../../shared/contract.ts';
import type { UpdateSupport } from '../../../shared/model/updates.ts';
import { type Composed, compose } from '../../compose.ts';
import type { Stages } from '../../compose-stages.ts';
import { createAppClient } from './app-client.ts';
import { createElectronHost } from './electron-host.ts';
import { type LiveSettings, openLiveSettings } from './live-settings.ts';
import { followSpelling } from './manners/follow-spelling.ts';
import { followTheme } from './manners/follow-theme.ts';
import type { DesktopStart } from './open-desktop.ts';
import { createUpdates } from './updates/create-updates.ts';
import { findUpdateSupport } from './updates/find-update-support.ts';
import { forgetStages } from './window/create-window.ts';
import type { NetworkWall } from './window/isolate-network.ts';

export { addManners } from './manners/add-manners.ts';

/** Most of the code, loaded while the window starts: only `open-desktop.ts` imports this module, and not at once. */

/** The application, with the game open that the start named, and what the host itself follows of it. */
export interface OpenedApp {
  composed: Composed;
  api: AppApi;
  settings: LiveSettings;
}

export async function openApp(
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

function findSupport(): UpdateSupport {
  const { platform, env: environment, execPath: program } = process;
  return findUpdateSupport({ isPackaged: app.isPackaged, platform, environment, program, name: app.getName() });
}

async function openNamedProject(composed: Composed, folder: string): Promise<void> {
  const reply = await composed.openFolder(folder);
  // The welcome page is there to choose from; waiting for the answer would keep it from showing.
  if (!reply.ok) void dialog.showMessageBox({ type: 'error', title: 'WebGAL Agent', message: reply.error.message });
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
