import type { LayeredCode } from '../../../../shared/model/capability/layered-error.ts';

/** A request to the app's own API, after its token was checked. */
export interface LocalRequest {
  method: string;
  /** The path, decoded. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** The parsed JSON body; undefined for none. */
  body: unknown;
  /** Aborts when the caller hung up. */
  signal: AbortSignal;
}

/** A WebSocket of another program. */
export interface LocalSocket {
  /** Resolves when the text was passed on; rejects when the connection is closed. */
  send(text: string): Promise<void>;
  close(): void;
}

export interface LocalSocketHandler {
  receive(text: string): void;
  closed(): void;
}

export interface LocalAnswer {
  status: number;
  body: unknown;
}

export interface ApiServerHandlers {
  request(request: LocalRequest): Promise<LocalAnswer>;
  /** Returns the answer to what is refused before it is a request: by its sender, its size or its form. */
  refuse(code: LayeredCode, message: string): LocalAnswer;
  /** `path` is that of the request. Null refuses the connection. */
  connect(path: string, socket: LocalSocket): LocalSocketHandler | null;
}

/**
 * Serves programs on this machine: loopback, a port of its own, a token from a file of the user's data folder. Requests of web
 * pages are refused.
 */
export interface ApiServer {
  /** Resolves when it listens and the file is written. Throws `E_IO`. */
  start(handlers: ApiServerHandlers): Promise<{ close(): Promise<void> }>;
}
