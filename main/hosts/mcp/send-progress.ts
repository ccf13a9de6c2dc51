import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';

const EVERY = 1_000;

/**
 * Tells a client that asked for it that a call is still under way, so that it neither gives up nor leaves its person in
 * the dark. The number is the seconds so far: tools do not know how much is left. Returns the function that stops it.
 */
export function sendProgress(
  extra: RequestHandlerExtra<ServerRequest, ServerNotification>,
  message: string,
): () => void {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  const startedAt = performance.now();
  const tell = (): void => {
    const progress = (performance.now() - startedAt) / 1000;
    // A client that has gone away needs none.
    extra
      .sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined);
  };
  tell();
  const timer = setInterval(tell, EVERY);
  return () => clearInterval(timer);
}
