import { IconPlugConnected } from '@tabler/icons-react';
import { useWaitingCount } from '../state/approval-store.ts';
import type { ViewDeclaration } from '../state/view-declaration.ts';

export const capabilitiesView: ViewDeclaration = {
  id: 'capabilities',
  icon: IconPlugConnected,
  title: 'shell:view.capabilities',
  load: async () => (await import('./capabilities-view.tsx')).CapabilitiesView,
  useNote: () => (useWaitingCount() > 0 ? 'shell:requestWaits' : null),
};
