import { createStoryOperations, type StoryOperations } from './story-operations.ts';

const operations = createStoryOperations();

self.onmessage = ({ data }: MessageEvent<{ id: number; name: keyof StoryOperations; input: never }>) => {
  const { id, name, input } = data;
  try {
    const operation: (input: never) => unknown = operations[name];
    self.postMessage({ id, value: operation(input) });
  } catch (error) {
    self.postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
  }
};
