import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { app, type BrowserWindow, dialog, Menu, net, session } from 'electron';
import { type Composed, compose } from '../../compose.ts';
import { createPageFiles } from '../page/page-files.ts';
import { createMenu } from './create-menu.ts';
import { createWindow, forgetStages, refusePermissions } from './create-window.ts';
import { createElectronHost } from './electron-host.ts';
import { registerPageScheme, servePageProtocol } from './page-protocol.ts';
import { serveIpc } from './serve-ipc.ts';
import { createWindowState } from './window-state.ts';

/** On the disk: the page keeps her layout and her open tabs. What games store is cleared at the next start. */
const PARTITION = 'persist:webgal-agent';

/** The desktop app, from first line to last. `out` is the folder the build leaves. Resolves when the window shows the page, or at once when another one runs already. */
export async function startDesktop(out: string): Promise<void> {
  registerPageScheme();
  app.enableSandbox();
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  await app.whenReady();
  try {
    await open(out);
  } catch (error) {
    dialog.showErrorBox('WebGAL Agent', error instanceof Error ? error.message : String(error));
    app.exit(1);
  }
}

async function open(out: string): Promise<void> {
  const page = session.fromPartition(PARTITION);
  refusePermissions(page);
  // Something left over from a game is no reason not to open.
  await forgetStages(page).catch(() => undefined);
  servePageProtocol(page, await createPageFiles(join(out, 'renderer')));
  Menu.setApplicationMenu(createMenu(process.platform));
  const composed = await compose({
    host: createElectronHost(),
    resources: out,
    environment: process.env,
    // Chromium's network knows the system's proxy and certificates.
    fetch: (input, init) => net.fetch(input instanceof URL ? input.href : input, init),
  });
  quitAfterClosing(composed);
  await openNamedProject(composed);
  const window = await createWindow({
    session: page,
    preload: join(out, 'preload', 'index.cjs'),
    state: createWindowState(composed.home),
    attach: (created) => {
      const stop = serveIpc(composed.app, created.webContents);
      created.once('closed', stop);
    },
  });
  app.on('second-instance', () => showAgain(window));
}

async function openNamedProject(composed: Composed): Promise<void> {
  const { project } = parseArgs({ options: { project: { type: 'string' } }, strict: false }).values;
  if (typeof project !== 'string') return;
  const reply = await composed.openFolder(project);
  // The welcome page is still there to choose from.
  if (!reply.ok) dialog.showErrorBox('WebGAL Agent', reply.error.message);
}

function showAgain(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.focus();
}

/** Quits with the window, on a Mac too, and not before what runs has been put down safely. */
function quitAfterClosing(composed: Composed): void {
  let isClosed = false;
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    void composed.dispose().finally(() => {
      isClosed = true;
      app.quit();
    });
  });
}
