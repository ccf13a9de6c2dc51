import type { MapWords } from './layout/map-words.ts';
import type { StoryOperations } from './story-operations.ts';
import StoryWorker from './story-worker.ts?worker';

type Name = keyof StoryOperations;

/** The story that the worker has loaded. Calls never refer to another game. */
export interface TakenStory {
  projectId: string | undefined;
  json: string;
  words: MapWords;
}

/** Client of the story worker. Lives as long as the page, so that a map is laid out once. */
export interface StoryClient {
  taken(): TakenStory | null;
  take(story: TakenStory): Promise<void>;
  call<N extends Name>(name: N, input: Parameters<StoryOperations[N]>[0]): Promise<ReturnType<StoryOperations[N]>>;
  /** Terminates the running work: pending calls reject with an `AbortError`. */
  stop(): void;
}

let client: StoryClient | null = null;

export function storyClient(): StoryClient {
  client ??= createStoryClient();
  return client;
}

function createStoryClient(): StoryClient {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let worker: Worker | null = null;
  let taken: TakenStory | null = null;
  let count = 0;

  const rejectAll = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const start = (): Worker => {
    const own = new StoryWorker();
    own.onmessage = ({ data }: MessageEvent<{ id: number; value?: unknown; failure?: string }>) => {
      const call = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.failure === undefined) call?.resolve(data.value);
      else call?.reject(new Error(data.failure));
    };
    own.onerror = (event) => rejectAll(new Error(event.message));
    worker = own;
    if (taken) void send('take', taken).catch(() => undefined);
    return own;
  };
  const send = (name: Name, input: unknown): Promise<unknown> => {
    const target = worker ?? start();
    count += 1;
    const id = count;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      target.postMessage({ id, name, input });
    });
  };
  return {
    taken: () => taken,
    async take(story) {
      if (worker === null) start();
      taken = story;
      await send('take', story);
    },
    call: (name, input) => send(name, input) as never,
    stop() {
      worker?.terminate();
      worker = null;
      rejectAll(new DOMException('Stopped', 'AbortError'));
    },
  };
}
