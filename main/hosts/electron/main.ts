import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { app, type BrowserWindow, Menu, net, session } from 'electron';
import { type Composed, compose } from '../../compose.ts';
import { createPageFiles } from '../page/page-files.ts';
import { createMenu } from './create-menu.ts';
import { createWindow, refusePermissions } from './create-window.ts';
import { createElectronHost } from './electron-host.ts';
import { registerPageScheme, servePageProtocol } from './page-protocol.ts';
import { serveIpc } from './serve-ipc.ts';
import { createWindowState } from './window-state.ts';

/** `out/`, seen from `out/main/`. */
const OUT = join(import.meta.dirname, '..');
/** In memory: what a game stores while it is tried out does not outlive the app, and the page stores nothing itself. */
const PARTITION = 'webgal-agent';

let window: BrowserWindow | undefined;
let composed: Composed | undefined;

async function start(): Promise<void> {
  const home = createElectronHost();
  const page = session.fromPartition(PARTITION);
  Menu.setApplicationMenu(createMenu(process.platform));
  refusePermissions(page);
  servePageProtocol(page, await createPageFiles(join(OUT, 'renderer')));
  composed = await compose({
    host: home,
    resources: OUT,
    // Chromium's network knows the system's proxy and certificates.
    fetch: (input, init) => net.fetch(input instanceof URL ? input.href : input, init),
  });
  const { project } = parseArgs({ options: { project: { type: 'string' } }, strict: false }).values;
  if (typeof project === 'string') await composed.openFolder(project);
  window = await createWindow({
    session: page,
    preload: join(OUT, 'preload', 'index.cjs'),
    state: createWindowState(composed.home),
    attach: (created) => {
      const stop = composed && serveIpc(composed.app, created.webContents);
      created.on('closed', () => stop?.());
    },
  });
}

function showAgain(): void {
  if (!window) return;
  if (window.isMinimized()) window.restore();
  window.focus();
}

function quitAfterClosing(): void {
  let isClosed = false;
  app.on('will-quit', (event) => {
    if (isClosed || !composed) return;
    event.preventDefault();
    void composed.dispose().finally(() => {
      isClosed = true;
      app.quit();
    });
  });
  app.on('window-all-closed', () => app.quit());
}

registerPageScheme();
app.enableSandbox();
if (app.requestSingleInstanceLock()) {
  app.on('second-instance', showAgain);
  quitAfterClosing();
  void app.whenReady().then(start);
} else {
  app.quit();
}
