import { app, net, type Session } from 'electron';
import type { AppApi } from '../../../shared/contract.ts';
import type { UpdateSupport } from '../../../shared/model/updates.ts';
import { type Composed, compose } from '../../compose.ts';
import type { Stages } from '../../compose-stages.ts';
import { createAppClient } from './app-client.ts';
import { createElectronHost } from './electron-host.ts';
import { followSpelling } from './integration/follow-spelling.ts';
import { followTheme } from './integration/follow-theme.ts';
import { type LiveSettings, openLiveSettings } from './live-settings.ts';
import type { StartContext } from './start-context.ts';
import { createUpdates } from './updates/create-updates.ts';
import { findUpdateSupport } from './updates/find-update-support.ts';
import { forgetStages } from './window/create-window.ts';
import { createHiddenEnginePages } from './window/hidden-engine-pages.ts';
import type { NetworkWall } from './window/isolate-network.ts';

export { integrateDesktop } from './integration/integrate-desktop.ts';

/** Most of the code, loaded while the window starts: `open-desktop.ts` alone imports this module, with a dynamic import. */

/** The running application and the state that the host follows. */
export interface OpenedApp {
  composed: Composed;
  api: AppApi;
  settings: LiveSettings;
  /** The folder of the start if it could not be opened. */
  refused: string | null;
}

export async function openApp(
  { out, data, log, isSafe, request }: StartContext,
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
      enginePages: createHiddenEnginePages(),
      updates: createUpdates({ support: findSupport(), home: data, log }),
      onFault: ({ where, error }) => log.error(where, error),
    }),
    // Runs before a game can be opened. Failing to remove old data does not stop the start.
    forgetStages(page).catch((error: unknown) => log.error('forget stages', error)),
  ]);
  quitAfterClosing(composed);
  const api = createAppClient(composed.app);
  const settings = await openLiveSettings(api);
  followTheme(settings);
  followSpelling(page, settings, wall);
  const isRefused = request.folder !== null && !(await composed.openFolder(request.folder)).ok;
  return { composed, api, settings, refused: isRefused ? request.folder : null };
}

function findSupport(): UpdateSupport {
  const { platform, env: environment, execPath: program } = process;
  return findUpdateSupport({ isPackaged: app.isPackaged, platform, environment, program, name: app.getName() });
}

/** Ends the process when the window is closed, on macOS too, after running work was stopped. */
function quitAfterClosing(composed: Composed): void {
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    // A second `quit` would be ignored if the disposal ends early in the running quit (observed on Electron 33).
    void composed.dispose().finally(() => app.exit(0));
  });
}
