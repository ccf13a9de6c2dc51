import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useProject } from '../state/project/project-store.ts';
import { updateSettings, useSettings } from '../state/settings-store.ts';
import { Section, SettingRow } from './section.tsx';
import classes from './settings-view.module.css';

/** Settings of the desktop app; not shown in a browser tab. */
export function DesktopSettings() {
  const { t } = useTranslation('settings');
  const host = useProject((state) => state.host);
  const notifications = useSettings((state) => state.settings.notifications);
  const spellCheck = useSettings((state) => state.settings.spellCheck);
  if (host !== 'electron') return null;
  return (
    <Section title={t('desktop.title')}>
      <div className={classes.card}>
        <SettingRow label={t('desktop.notifications')} hint={t('desktop.notificationsHint')}>
          <Switch
            aria-label={t('desktop.notifications')}
            checked={notifications}
            onChange={(event) => void updateSettings({ notifications: event.currentTarget.checked })}
          />
        </SettingRow>
        <SettingRow label={t('desktop.spellCheck')} hint={t('desktop.spellCheckHint')}>
          <Switch
            aria-label={t('desktop.spellCheck')}
            checked={spellCheck}
            onChange={(event) => void updateSettings({ spellCheck: event.currentTarget.checked })}
          />
        </SettingRow>
      </div>
    </Section>
  );
}
