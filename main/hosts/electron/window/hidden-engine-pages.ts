import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Session, session, type WebContents, WebContentsView } from 'electron';
import { AppError } from '../../../../shared/errors.ts';
import { isMemoryEnd, type ScriptPage, type ScriptPages, toMemoryEnd } from '../../../core/ports/engine-pages.ts';
import { createPlaytestRule } from '../../../network/allowed-addresses.ts';

const LOAD_TIMEOUT_MS = 60_000;
const END_MS = 200;
/** The engine lays out for its own size and scales. */
const VIEWPORT = { width: 640, height: 360 };
/** A view that no one holds is collected, and its page with it. */
const views = new Set<WebContentsView>();

/**
 * Opens pages for playtests in this Electron: a view that belongs to no window, so that it is never shown, takes no focus and keeps
 * no app running. It has a profile in memory of its own, no preload and no Node, and reaches its stage only.
 */
export function createHiddenEnginePages(): ScriptPages {
  return {
    async open(url, signal) {
      signal.throwIfAborted();
      const own = await openProfile(new URL(url).origin);
      signal.throwIfAborted();
      const view = new WebContentsView({
        webPreferences: {
          session: own,
          contextIsolation: true,
          sandbox: true,
          nodeIntegration: false,
          nodeIntegrationInSubFrames: false,
          webviewTag: false,
          disableDialogs: true,
          spellcheck: false,
          // It is never seen, and plays as fast as it can.
          backgroundThrottling: false,
          autoplayPolicy: 'no-user-gesture-required',
        },
      });
      views.add(view);
      const { webContents } = view;
      keepInside(webContents, url);
      const gone = watchEnd(webContents);
      const close = async (): Promise<void> => {
        signal.removeEventListener('abort', close);
        end(webContents);
        views.delete(view);
        await own.clearStorageData().catch(() => undefined);
      };
      signal.addEventListener('abort', close, { once: true });
      try {
        await Promise.race([load(webContents, url).then(() => setSize(webContents)), gone]);
      } catch (failure) {
        // Where the process was killed, loading fails a moment before it is known why.
        const cause: unknown = await Promise.race([gone.catch((end: unknown) => end), sleep(END_MS, failure)]);
        await close();
        signal.throwIfAborted();
        if (isMemoryEnd(cause)) throw cause;
        throw new AppError('E_PREVIEW_FAIL', 'The engine did not start.', { reason: 'playtest.noStart', cause });
      }
      const page: ScriptPage = {
        evaluate: (script) => Promise.race([webContents.executeJavaScript(script), gone]),
        close,
      };
      return page;
    },
  };
}

/** Creates a profile without anything that an earlier run stored, whose requests reach one origin. */
async function openProfile(origin: string): Promise<Session> {
  const own = session.fromPartition(`playtest-${randomBytes(8).toString('hex')}`, { cache: false });
  const isAllowed = createPlaytestRule(origin);
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isAllowed(url) }));
  // As for the stage: what is not a request goes to its server, which refuses every other host.
  const { host } = new URL(origin);
  await own.setProxy({
    mode: 'fixed_servers',
    proxyRules: `http://${host}`,
    proxyBypassRules: ['<-loopback>', host].join(';'),
  });
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  own.setPermissionCheckHandler(() => false);
  own.setDevicePermissionHandler(() => false);
  own.on('will-download', (event) => event.preventDefault());
  return own;
}

function keepInside(webContents: WebContents, url: string): void {
  webContents.setAudioMuted(true);
  webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('will-frame-navigate', (event) => event.url !== url && event.preventDefault());
  webContents.on('will-redirect', (event) => event.preventDefault());
  webContents.on('will-prevent-unload', (event) => event.preventDefault());
  webContents.on('will-attach-webview', (event) => event.preventDefault());
}

/** A view without a window has no size, and texts could not be measured in it. */
async function setSize({ debugger: devTools }: WebContents): Promise<void> {
  devTools.attach('1.3');
  await devTools.sendCommand('Emulation.setDeviceMetricsOverride', {
    ...VIEWPORT,
    deviceScaleFactor: 1,
    mobile: false,
  });
}

/** Rejects when the page's process ends; calls would wait for ever. It is killed for its memory, by `boundGames` or by the system. */
function watchEnd(webContents: WebContents): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const fail = (why: string) => reject(new AppError('E_TIMEOUT', `The page of the game has ended (${why}).`));
  webContents.once('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'killed' || reason === 'oom') reject(toMemoryEnd());
    else fail(`${reason} ${exitCode}`);
  });
  webContents.once('destroyed', () => fail('closed'));
  promise.catch(() => undefined);
  return promise;
}

/** Resolves when the page's scripts run. Not later: the page's own time stands still until it is asked to run. */
function load(webContents: WebContents, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The page did not load in time.')), LOAD_TIMEOUT_MS);
    const settle = (act: () => void) => {
      clearTimeout(timer);
      act();
    };
    webContents.once('dom-ready', () => settle(resolve));
    webContents.loadURL(url).catch((error: unknown) => settle(() => reject(error)));
  });
}

/** Ends the page and its process, which a script of the game may keep busy. Not by a crash: it would leave a dump of each run. */
function end(webContents: WebContents): void {
  if (webContents.isDestroyed()) return;
  const id = webContents.getOSProcessId();
  webContents.close();
  if (id === 0) return;
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
