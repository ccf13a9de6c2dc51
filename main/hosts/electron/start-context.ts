import type { AppLog } from './diagnosis/app-log.ts';
import type { OpenRequest } from './open-request.ts';

/** Requests of later starts. They can arrive before the window exists; the first listener receives the latest one. */
export interface OpenRequests {
  on(listener: (request: OpenRequest) => void): void;
}

/** Input from the entry module once Electron is ready. */
export interface StartContext {
  /** The build's output folder. */
  out: string;
  /** The folder of the app's own data. */
  data: string;
  log: AppLog;
  isSafe: boolean;
  request: OpenRequest;
  requests: OpenRequests;
  /** Number of consecutive failed starts before this one. */
  failedStarts: number;
  /** Called once the page is shown. */
  onStarted: () => void;
}
