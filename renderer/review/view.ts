import { IconChecklist } from '@tabler/icons-react';
import { useProposal } from '../state/review/review-store.ts';
import type { ViewDeclaration } from '../state/view-declaration.ts';

export const reviewView: ViewDeclaration = {
  id: 'review',
  icon: IconChecklist,
  title: 'shell:view.review',
  load: async () => (await import('./review-panel.tsx')).ReviewPanel,
  useNote: () => (useProposal()?.state === 'review' ? 'shell:reviewWaits' : null),
};
