import { IconSitemap } from '@tabler/icons-react';
import type { ViewDeclaration } from '../state/view-declaration.ts';

export const storyView: ViewDeclaration = {
  id: 'story',
  icon: IconSitemap,
  title: 'shell:view.story',
  load: async () => (await import('./story-view.tsx')).StoryView,
};
