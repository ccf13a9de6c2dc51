/** Functions that only the host can provide. */
export interface Host {
  kind: 'electron' | 'web';
  platform: string;
  systemLocale: string;
  /** Opens the system's folder dialog; null if the host has none. */
  pickFolder: (() => Promise<string | null>) | null;
  /** True in safe mode: started without the last game and with the default window. */
  isSafeMode: boolean;
  /** Returns data for a problem report: versions by name and the last log lines, which contain no text of a game. */
  details(): Promise<{ versions: Record<string, string>; log: string[] }>;
  /** Restarts the app without safe mode; null if the host cannot. */
  restart: (() => Promise<void>) | null;
  /** Takes a picture of a part of the window, in CSS pixels, as JPEG in base64; null if the host cannot. */
  capture: ((area: { x: number; y: number; width: number; height: number }) => Promise<string>) | null;
  /** Opens an https link in the system's browser. */
  openLink(url: string): Promise<void>;
  /** Opens the page on which a service signs the user in, in the system's browser: https, or http on a local host. */
  openSignInPage(url: string): Promise<void>;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Returns a new unguessable id. */
  id(): string;
}
