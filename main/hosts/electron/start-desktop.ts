import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { findUserFolders } from '../../node/app-data/user-data.ts';
import { type AppLog, openAppLog } from './diagnosis/app-log.ts';
import { keepCrashDumps } from './diagnosis/crash-dumps.ts';
import { isSafeModeAsked } from './diagnosis/safe-mode.ts';
import { createStartRecord } from './diagnosis/start-record.ts';
import { watchFaults } from './diagnosis/watch-faults.ts';
import { type OpenRequest, readOpenRequest, toHandOver, toOpenRequest } from './open-request.ts';
import { registerPageScheme } from './page-protocol.ts';
import type { OpenRequests, StartContext } from './start-context.ts';
import { findDesktopText } from './text/desktop-text.ts';

/** The module that is loaded while Electron starts. */
type Desktop = typeof import('./open-desktop.ts');

/**
 * Starts the desktop app and returns immediately. Settings that Electron accepts only before `ready` are made here, while the
 * entry module is evaluated; the rest of the app is loaded meanwhile and opened on `ready`. `out` is the build's output
 * folder. A failure before the window opens is logged, shown in a dialog that names the log file, and ends the process with
 * exit code 1.
 */
export function startDesktop(out: string): void {
  const { data } = findUserFolders(process.env);
  const log = openAppLog(join(data, 'logs'));
  const fail = (error: unknown): void => void app.whenReady().then(() => failToStart(log, error));
  const faults = watchFaults(log, fail);
  try {
    const start = prepare(out, data, log);
    if (start === null) {
      app.quit();
      return;
    }
    const desktop = import('./open-desktop.ts');
    // Awaited below, after `ready`; until then a rejection must not count as unhandled.
    desktop.catch(() => undefined);
    app
      .whenReady()
      .then(() => open(desktop, start))
      .then(faults.windowOpened)
      .catch(fail);
  } catch (error) {
    fail(error);
  }
}

const BLINK_SETTINGS = [
  // Electron lets every frame use the clipboard through `execCommand` at any time. Browsers require a user activation for
  // copying and do not allow pasting.
  'javaScriptCanAccessClipboard=false',
  'DOMPasteAllowed=false',
  // A name that a game asks to resolve early (`<link rel="dns-prefetch">`) would be resolved past the proxy, and name servers
  // receive it: it can contain the game's text.
  'dnsPrefetchingEnabled=false',
];

/** Prepares the process. Null if another process has the window; the request was sent to it. */
function prepare(out: string, data: string, log: AppLog): StartContext | null {
  app.setName('WebGAL Agent');
  const profile = join(data, 'desktop');
  // Without this, a folder that is not writable looks like a lock held by another process.
  mkdirSync(profile, { recursive: true });
  accessSync(profile, constants.W_OK);
  app.setPath('userData', profile);
  keepCrashDumps(join(data, 'crashes'));
  registerPageScheme();
  app.enableSandbox();
  // Otherwise timers of a page hidden for five minutes run once a minute, and the stage is reported as hung.
  app.commandLine.appendSwitch('disable-features', 'IntensiveWakeUpThrottling');
  app.commandLine.appendSwitch('blink-settings', BLINK_SETTINGS.join(','));
  // With `defaultApp` the program's first argument is the script.
  const args = process.argv.slice(process.defaultApp ? 2 : 1);
  const isSafe = isSafeModeAsked(args);
  const request: OpenRequest = isSafe ? { folder: null, isSafe } : readOpenRequest(args, process.cwd());
  if (!app.requestSingleInstanceLock(toHandOver(request))) return null;
  if (isSafe) app.disableHardwareAcceleration();
  const record = createStartRecord(data);
  const failedStarts = record.begin();
  return { out, data, log, isSafe, request, requests: listenForRequests(), failedStarts, onStarted: record.succeed };
}

function listenForRequests(): OpenRequests {
  let listener: ((request: OpenRequest) => void) | null = null;
  let waiting: OpenRequest | null = null;
  const receive = (request: OpenRequest): void => {
    if (listener) listener(request);
    else waiting = request;
  };
  app.on('second-instance', (_event, _argv, _directory, data) => receive(toOpenRequest(data)));
  // macOS reports a folder dropped on the icon this way, also before `ready`.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    receive({ folder: path });
  });
  return {
    on(next) {
      listener = next;
      if (waiting) next(waiting);
      waiting = null;
    },
  };
}

async function open(desktop: Promise<Desktop>, start: StartContext): Promise<void> {
  const { openDesktop } = await desktop;
  await openDesktop(start);
}

let isFailing = false;

function failToStart(log: AppLog, error: unknown): void {
  if (isFailing) return;
  isFailing = true;
  log.error('start', error);
  const { failed } = findDesktopText(app.getLocale());
  const reason = error instanceof Error ? error.message : String(error);
  dialog.showErrorBox('WebGAL Agent', `${failed.start}\n\n${reason}\n\n${failed.log}\n${log.path}`);
  app.exit(1);
}
