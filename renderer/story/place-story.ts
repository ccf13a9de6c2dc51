import type { PlacedMap } from './placed-map.ts';
import StoryLayoutWorker from './story-layout-worker.ts?worker';
import type { StoryMap } from './story-map.ts';

/** Lays a map out in a worker of its own: a large story takes a while, and the window does not wait. */
export function placeStory(map: StoryMap, signal: AbortSignal): Promise<PlacedMap> {
  return new Promise((resolve, reject) => {
    const worker = new StoryLayoutWorker();
    signal.addEventListener('abort', () => worker.terminate());
    worker.onmessage = ({ data }: MessageEvent<PlacedMap>) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => {
      worker.terminate();
      reject(new Error(event.message));
    };
    worker.postMessage(map);
  });
}
