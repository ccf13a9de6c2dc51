import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';

const INTERVAL_MS = 1_000;

/**
 * Sends progress notifications for a running call if the client requested them, so that it does not time out. The progress is
 * the elapsed time in seconds, because tools have no total. Returns a function that stops the notifications.
 */
export function sendProgress(
  extra: RequestHandlerExtra<ServerRequest, ServerNotification>,
  message: string,
): () => void {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  const startedAt = performance.now();
  const notify = (): void => {
    const progress = (performance.now() - startedAt) / 1000;
    // Ignored: the client may have disconnected.
    extra
      .sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined);
  };
  notify();
  const timer = setInterval(notify, INTERVAL_MS);
  return () => clearInterval(timer);
}
