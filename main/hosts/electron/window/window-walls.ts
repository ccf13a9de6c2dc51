import type { WebContents, WebPreferences } from 'electron';

/** What every window of the app may not do, whatever it shows. `session` is left out where the opening page gives its own. */
export function toWebPreferences(own: Pick<WebPreferences, 'session' | 'preload'> = {}): WebPreferences {
  return {
    ...own,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    // The session decides (`follow-spelling.ts`); this cannot be enabled later for an existing page.
    spellcheck: true,
    // Makes Chromium obey the stage frame's `focus-without-user-activation`.
    enableBlinkFeatures: 'BlockingFocusWithoutUserActivation',
    // A hidden window is hidden for the page and the stage too, so the engine stops drawing.
    backgroundThrottling: true,
    // The stage plays sounds without a previous click.
    autoplayPolicy: 'no-user-gesture-required',
  };
}

/** Keeps a window's page where it is. A frame in it may only show a stage; `isOwnPage` says what the window itself may show. */
export function keepInside(
  webContents: WebContents,
  { stagePattern, isOwnPage }: { stagePattern: RegExp; isOwnPage: (url: string) => boolean },
): void {
  // WebRTC of a game must not bypass the session's proxy rules.
  webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  webContents.on('will-frame-navigate', (event) => {
    const isAllowed = event.isMainFrame ? isOwnPage(event.url) : stagePattern.test(event.url);
    if (!isAllowed) event.preventDefault();
  });
  webContents.on('will-redirect', (event) => {
    if (event.isMainFrame) event.preventDefault();
  });
  // A game must not keep its frame open. Unsaved text of the page is handled before (`guard-closing.ts`) and buffered by the
  // app across a reload.
  webContents.on('will-prevent-unload', (event) => event.preventDefault());
  webContents.on('will-attach-webview', (event) => event.preventDefault());
}
