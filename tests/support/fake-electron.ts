import { EventEmitter } from 'node:events';

type Handler = (event: unknown, ...args: unknown[]) => unknown;

/** A frame as a call's sender names it. */
export interface FakeFrame {
  url: string;
}

export class FakeWebContents extends EventEmitter {
  mainFrame: FakeFrame = { url: '' };
  windowOpenHandler: ((details: { url: string }) => unknown) | undefined;
  isGone = false;
  setWindowOpenHandler(handler: (details: { url: string }) => unknown): void {
    this.windowOpenHandler = handler;
  }
  isDestroyed(): boolean {
    return this.isGone;
  }
  send(channel: string, ...args: unknown[]): void {
    // What crosses between processes is copied, not shared.
    this.emit('sent', channel, ...(structuredClone(args) as unknown[]));
  }
  /** A page that objects to being closed; true when it goes all the same. */
  tryToUnload(): boolean {
    let isObjectionIgnored = false;
    this.emit('will-prevent-unload', { preventDefault: () => (isObjectionIgnored = true) });
    return isObjectionIgnored;
  }
  /** Tries to go somewhere; true when nothing stopped it. */
  tryToGo(event: 'will-frame-navigate' | 'will-redirect', details: { url: string; isMainFrame: boolean }): boolean {
    let isAllowed = true;
    this.emit(event, { ...details, preventDefault: () => (isAllowed = false) });
    return isAllowed;
  }
}

export class FakeBrowserWindow extends EventEmitter {
  static all: FakeBrowserWindow[] = [];
  static getAllWindows = (): FakeBrowserWindow[] => FakeBrowserWindow.all;
  readonly webContents = new FakeWebContents();
  readonly options: Record<string, unknown>;
  readonly done: string[] = [];
  bounds = { x: 10, y: 20, width: 1000, height: 700 };
  constructor(options: Record<string, unknown>) {
    super();
    this.options = options;
    FakeBrowserWindow.all.push(this);
  }
  async loadURL(url: string): Promise<void> {
    this.done.push(`load ${url}`);
    this.webContents.mainFrame = { url };
    this.emit('ready-to-show');
  }
  show = (): void => void this.done.push('show');
  maximize = (): void => void this.done.push('maximize');
  restore = (): void => void this.done.push('restore');
  focus = (): void => void this.done.push('focus');
  isMinimized = (): boolean => true;
  isMaximized = (): boolean => false;
  isDestroyed = (): boolean => false;
  getNormalBounds = () => this.bounds;
}

export class FakeSession extends EventEmitter {
  readonly partition: string;
  readonly schemes = new Map<string, (request: Request) => Promise<Response>>();
  permissionRequest:
    | ((contents: unknown, permission: string, answer: (isGranted: boolean) => void) => void)
    | undefined;
  permissionCheck: ((...args: unknown[]) => boolean) | undefined;
  devicePermission: ((...args: unknown[]) => boolean) | undefined;
  constructor(partition: string) {
    super();
    this.partition = partition;
  }
  readonly cleared: unknown[] = [];
  async clearData(options: unknown): Promise<void> {
    this.cleared.push(options);
  }
  readonly protocol = {
    handle: (scheme: string, handler: (request: Request) => Promise<Response>) =>
      void this.schemes.set(scheme, handler),
  };
  setPermissionRequestHandler(handler: NonNullable<FakeSession['permissionRequest']>): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: NonNullable<FakeSession['permissionCheck']>): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: NonNullable<FakeSession['devicePermission']>): void {
    this.devicePermission = handler;
  }
}

class FakeApp extends EventEmitter {
  readonly done: string[] = [];
  hasLock = true;
  isReady = false;
  requestSingleInstanceLock = (): boolean => this.hasLock;
  enableSandbox = (): void => void this.done.push('sandbox');
  locale = 'zh-CN';
  getLocale = (): string => this.locale;
  exit = (code: number): void => void this.done.push(`exit ${code}`);
  async whenReady(): Promise<void> {
    this.isReady = true;
  }
  quit(): void {
    let isHeldBack = false;
    this.emit('will-quit', { preventDefault: () => (isHeldBack = true) });
    this.done.push(isHeldBack ? 'quit held back' : 'quit');
  }
}

/**
 * What the Electron host uses of the `electron` module, with the same shapes and orders of events, so that the host can
 * be run where Electron's program is not installed. Only the outermost module is replaced; all else is the real thing.
 */
export function createFakeElectron() {
  const handlers = new Map<string, Handler>();
  const sessions = new Map<string, FakeSession>();
  const app = new FakeApp();
  FakeBrowserWindow.all = [];
  const fake = {
    app,
    handlers,
    sessions,
    privileges: [] as unknown[],
    menus: [] as unknown[],
    opened: [] as string[],
    errors: [] as string[],
    asked: [] as unknown[],
    /** The button she presses. */
    pressed: 0,
    picked: { canceled: true, filePaths: [] as string[] },
    fetched: [] as string[],
    windows: FakeBrowserWindow.all,
    /** Calls a channel as a renderer would: the arguments are copied on the way. */
    async invoke(
      channel: string,
      from: { sender: unknown; senderFrame: unknown },
      ...args: unknown[]
    ): Promise<unknown> {
      const handler = handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      return structuredClone(await handler(from, ...(structuredClone(args) as unknown[])));
    },
  };
  const module = {
    app,
    BrowserWindow: FakeBrowserWindow,
    Menu: {
      buildFromTemplate: (template: unknown) => ({ template }),
      setApplicationMenu: (menu: unknown) => void fake.menus.push(menu),
    },
    dialog: {
      showOpenDialog: async () => fake.picked,
      showMessageBoxSync: (window: unknown, options: unknown): number => {
        fake.asked.push([window, options]);
        return fake.pressed;
      },
      showErrorBox: (_title: string, text: string) => void fake.errors.push(text),
    },
    ipcMain: {
      handle: (channel: string, handler: Handler) => {
        if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
        handlers.set(channel, handler);
      },
      removeHandler: (channel: string) => void handlers.delete(channel),
    },
    net: {
      fetch: async (url: string) => {
        fake.fetched.push(url);
        return new Response('ok');
      },
    },
    protocol: {
      registerSchemesAsPrivileged: (schemes: unknown[]) => {
        if (app.isReady) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
        fake.privileges.push(...schemes);
      },
    },
    screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }] },
    session: {
      fromPartition(name: string): FakeSession {
        if (!app.isReady) throw new Error('Session can only be received when app is ready');
        const known = sessions.get(name) ?? new FakeSession(name);
        sessions.set(name, known);
        return known;
      },
    },
    shell: { openExternal: async (url: string) => void fake.opened.push(url) },
  };
  return { fake, module };
}
