import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { updateSettings, useSettings } from '../state/settings-store.ts';
import { Section, SettingRow } from './section.tsx';
import classes from './settings-view.module.css';

export function StageSettings() {
  const { t } = useTranslation('settings');
  const follows = useSettings((state) => state.settings.stageFollowsCursor);
  const isMuted = useSettings((state) => state.settings.stageMuted);
  return (
    <Section title={t('stage.title')}>
      <div className={classes.card}>
        <SettingRow label={t('stage.follow')} hint={t('stage.followHint')}>
          <Switch
            aria-label={t('stage.follow')}
            checked={follows}
            onChange={(event) => void updateSettings({ stageFollowsCursor: event.currentTarget.checked })}
          />
        </SettingRow>
        <SettingRow label={t('stage.muted')}>
          <Switch
            aria-label={t('stage.muted')}
            checked={isMuted}
            onChange={(event) => void updateSettings({ stageMuted: event.currentTarget.checked })}
          />
        </SettingRow>
      </div>
    </Section>
  );
}
