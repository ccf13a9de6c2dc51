import { IconListDetails } from '@tabler/icons-react';
import type { ViewDeclaration } from '../state/view-declaration.ts';

export const auditLogView: ViewDeclaration = {
  id: 'audit-log',
  icon: IconListDetails,
  title: 'shell:view.audit-log',
  load: async () => (await import('./audit-log-view.tsx')).AuditLogView,
};
