import { IconListDetails } from '@tabler/icons-react';
import type { ViewDeclaration } from '../state/view-declaration.ts';

export const auditLogView: ViewDeclaration = {
  id: 'record',
  icon: IconListDetails,
  title: 'shell:view.record',
  load: async () => (await import('./audit-log-view.tsx')).AuditLogView,
};
