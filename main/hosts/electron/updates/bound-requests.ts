import type { ClientRequest, IncomingMessage } from 'electron';
import { FeedError } from './check-feed.ts';

/** URL parts as electron-updater passes them to its requests. */
interface RequestTarget {
  protocol?: string | null;
  hostname?: string | null;
}

/** The members of electron-updater's HTTP executor that are wrapped. */
export interface HttpExecutor {
  createRequest(options: RequestTarget, callback: (response: IncomingMessage) => void): ClientRequest;
  addRedirectHandlers(
    request: ClientRequest,
    options: RequestTarget,
    reject: (error: Error) => void,
    redirectCount: number,
    handler: (options: RequestTarget) => void,
  ): void;
}

export interface RequestBounds {
  /** Returns the size limit of the next response, and the error code (`to-update-problem.ts`) when it is exceeded. */
  limit(): { bytes: number; code: string };
  /** True if a response may redirect to this host. `protocol` ends with a colon. */
  mayRedirect(protocol: string, host: string): boolean;
}

/** Aborts requests whose responses exceed the size limit or redirect to another server. */
export function boundRequests(executor: HttpExecutor, { limit, mayRedirect }: RequestBounds): void {
  const create = executor.createRequest.bind(executor);
  executor.createRequest = (options, callback) => {
    const { bytes, code } = limit();
    const request = create(options, (response) => {
      let received = 0;
      response.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received <= bytes) return;
        // Emit the error first: an aborted request alone looks like a lost connection.
        request.emit('error', new FeedError(`The answer is larger than ${bytes} bytes.`, code));
        request.abort();
      });
      callback(response);
    });
    return request;
  };
  const addHandlers = executor.addRedirectHandlers.bind(executor);
  executor.addRedirectHandlers = (request, options, reject, redirectCount, handler) =>
    addHandlers(request, options, reject, redirectCount, (next) => {
      const [protocol, host] = [next.protocol ?? '', next.hostname ?? ''];
      if (mayRedirect(protocol, host)) handler(next);
      else reject(new FeedError(`The feed sends on to another server: ${protocol}//${host}`));
    });
}
