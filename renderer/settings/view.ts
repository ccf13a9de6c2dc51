import { IconSettings } from '@tabler/icons-react';
import type { ViewDeclaration } from '../state/view-declaration.ts';

export const settingsView: ViewDeclaration = {
  id: 'settings',
  icon: IconSettings,
  title: 'shell:view.settings',
  load: async () => (await import('./settings-view.tsx')).SettingsView,
};
