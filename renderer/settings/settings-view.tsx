import { useTranslation } from 'react-i18next';
import { PaneHeader } from '../ui/pane-header.tsx';
import { AppearanceSettings } from './appearance-settings.tsx';
import { AssistantSettings } from './assistant/assistant-settings.tsx';
import { SpendingSettings } from './assistant/spending-settings.tsx';
import { CheckpointSettings } from './checkpoint-settings.tsx';
import { DesktopSettings } from './desktop-settings.tsx';
import { EditorSettings } from './editor-settings.tsx';
import { PermissionSettings } from './permissions/permission-settings.tsx';
import { PlanSettings } from './plan-settings.tsx';
import { ServiceSettings } from './services/service-settings.tsx';
import classes from './settings-view.module.css';
import { StageSettings } from './stage-settings.tsx';
import { TerreSettings } from './terre/terre-settings.tsx';
import { UpdateSettings } from './updates/update-settings.tsx';

/** All settings on one page; changes apply immediately. */
export function SettingsView() {
  const { t } = useTranslation('settings');
  return (
    <>
      <PaneHeader title={t('title')} />
      <div className={classes.scroll}>
        <div className={classes.page}>
          <AssistantSettings />
          <SpendingSettings />
          <AppearanceSettings />
          <EditorSettings />
          <StageSettings />
          <TerreSettings />
          <CheckpointSettings />
          <DesktopSettings />
          <PermissionSettings />
          <ServiceSettings />
          <PlanSettings />
          <UpdateSettings />
        </div>
      </div>
    </>
  );
}
