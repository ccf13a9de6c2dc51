import { IconHistory } from '@tabler/icons-react';
import type { ViewDeclaration } from '../state/view-declaration.ts';

export const historyView: ViewDeclaration = {
  id: 'history',
  icon: IconHistory,
  title: 'shell:view.history',
  load: async () => (await import('./history-view.tsx')).HistoryView,
};
