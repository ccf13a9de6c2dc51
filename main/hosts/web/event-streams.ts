import type { App } from '../../core/app.ts';

const KEEP_ALIVE = 15_000;
/** A page that lets this many bytes of news lie unread is cut off; it connects again and reads the state anew. */
const MAX_WAITING = 16_000_000;

/** The app's events as lines of JSON, one stream per page with a queue of its own: a slow page delays no other. An empty line keeps a connection alive. */
export interface EventStreams {
  open(): ReadableStream<Uint8Array>;
  /** Ends them all. */
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
      const timer = setInterval(() => push('\n'), KEEP_ALIVE);
      end = () => {
        if (!ends.delete(end)) return;
        off();
        clearInterval(timer);
        try {
          controller.close();
        } catch {
          // The page went away first.
        }
      };
      ends.add(end);
      // The page counts as connected with the first byte.
      push('\n');
    };
    const queue = { highWaterMark: MAX_WAITING, size: (chunk?: Uint8Array) => chunk?.byteLength ?? 0 };
    return new ReadableStream<Uint8Array>({ start, cancel: () => end() }, queue);
  };

  return {
    open,
    close() {
      for (const end of [...ends]) end();
    },
  };
}
