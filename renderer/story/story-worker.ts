import { createStoryDesk, type StoryDesk } from './story-desk.ts';

const desk = createStoryDesk();

self.onmessage = ({ data }: MessageEvent<{ id: number; name: keyof StoryDesk; input: never }>) => {
  const { id, name, input } = data;
  try {
    const operation: (input: never) => unknown = desk[name];
    self.postMessage({ id, value: operation(input) });
  } catch (error) {
    self.postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
  }
};
