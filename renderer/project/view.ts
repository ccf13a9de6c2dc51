import { IconPhoto } from '@tabler/icons-react';
import type { ViewDeclaration } from '../state/view-declaration.ts';

export const projectView: ViewDeclaration = {
  id: 'project',
  icon: IconPhoto,
  title: 'shell:view.project',
  load: async () => (await import('./project-view.tsx')).ProjectView,
};
