import type { App } from '../../core/app.ts';

/** Interval of the empty lines that keep a connection alive. */
const KEEP_ALIVE_MS = 15_000;
/** A stream with this many unread bytes is closed; the page reconnects and reads the state again. */
const MAX_UNREAD_BYTES = 16_000_000;

/** The app's events as lines of JSON. Each page has its own stream and queue, so a slow page delays no other. */
export interface EventStreams {
  open(): ReadableStream<Uint8Array>;
  /** Closes all streams. */
  close(): void;
}

export function createEventStreams(app: App): EventStreams {
  const ends = new Set<() => void>();
  const encoder = new TextEncoder();

  const open = (): ReadableStream<Uint8Array> => {
    let end: () => void = () => {};
    const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      const push = (text: string): void => {
        if ((controller.desiredSize ?? 0) <= 0) end();
        else controller.enqueue(encoder.encode(text));
      };
      const off = app.on((event, payload) => push(`${JSON.stringify({ event, payload })}\n`));
      const timer = setInterval(() => push('\n'), KEEP_ALIVE_MS);
      end = () => {
        if (!ends.delete(end)) return;
        off();
        clearInterval(timer);
        try {
          controller.close();
        } catch {
          // The page has already disconnected.
        }
      };
      ends.add(end);
      // The page is connected when it receives the first byte.
      push('\n');
    };
    const queue = { highWaterMark: MAX_UNREAD_BYTES, size: (chunk?: Uint8Array) => chunk?.byteLength ?? 0 };
    return new ReadableStream<Uint8Array>({ start, cancel: () => end() }, queue);
  };

  return {
    open,
    close() {
      for (const end of [...ends]) end();
    },
  };
}
