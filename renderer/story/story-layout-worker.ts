import { layOutStory } from './lay-out-story.ts';
import type { StoryMap } from './story-map.ts';

self.onmessage = ({ data }: MessageEvent<StoryMap>) => {
  self.postMessage(layOutStory(data));
};
