import { IconSitemap } from '@tabler/icons-react';
import type { ViewDeclaration } from '../state/view-declaration.ts';

export const storyView: ViewDeclaration = {
  id: 'story',
  icon: IconSitemap,
  title: 'shell:view.story',
  load: async () => {
    // With the map, which the view shows first and which is larger than the view.
    const [{ StoryView }] = await Promise.all([import('./story-view.tsx'), import('./canvas/story-canvas.tsx')]);
    return StoryView;
  },
};
