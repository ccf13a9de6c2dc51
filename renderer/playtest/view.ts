import { IconRoute } from '@tabler/icons-react';
import type { ViewDeclaration } from '../state/view-declaration.ts';

export const playtestView: ViewDeclaration = {
  id: 'playtest',
  icon: IconRoute,
  title: 'shell:view.playtest',
  load: async () => (await import('./playtest-view.tsx')).PlaytestView,
};
