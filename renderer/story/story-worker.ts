import { createStoryService, type StoryService } from './story-service.ts';

const service = createStoryService();

self.onmessage = ({ data }: MessageEvent<{ id: number; name: keyof StoryService; input: never }>) => {
  const { id, name, input } = data;
  try {
    const operation: (input: never) => unknown = service[name];
    self.postMessage({ id, value: operation(input) });
  } catch (error) {
    self.postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
  }
};
