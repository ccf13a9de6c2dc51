import type { App } from '../../core/app.ts';

const KEEP_ALIVE = 15_000;
/** A page that lets this much news lie unread (UTF-16 units) is cut off; it connects again and reads the state anew. */
const MAX_WAITING = 16_000_000;

/** The app's news as a server-sent event stream for one page, with a queue of its own: a slow page delays nobody. */
export function createEventStream(app: App, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let end: () => void = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const push = (text: string): void => {
          if ((controller.desiredSize ?? 0) <= 0) end();
          else controller.enqueue(encoder.encode(text));
        };
        const off = app.on((event, payload) => push(`data: ${JSON.stringify({ event, payload })}\n\n`));
        const timer = setInterval(() => push(': still here\n\n'), KEEP_ALIVE);
        end = () => {
          end = () => {};
          off();
          clearInterval(timer);
          signal.removeEventListener('abort', onAbort);
          try {
            controller.close();
          } catch {
            // Already closed from the other side.
          }
        };
        const onAbort = () => end();
        signal.addEventListener('abort', onAbort, { once: true });
        push('retry: 1000\n\n');
      },
      cancel: () => end(),
    },
    { highWaterMark: MAX_WAITING, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
