import { SegmentedControl, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../shared/i18n/languages.ts';
import { LOCALES, Locale } from '../../shared/model/local-text.ts';
import { updateSettings, useSettings } from '../state/settings-store.ts';
import { Section, SettingRow } from './section.tsx';
import classes from './settings-view.module.css';

const SYSTEM = 'system';

export function AppearanceSettings() {
  const { t } = useTranslation(['settings', 'shell']);
  const theme = useSettings((state) => state.settings.theme);
  const locale = useSettings((state) => state.settings.locale);
  const themes = (['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t(`shell:theme.${value}`) }));
  const locales = LOCALES.map((value) => ({ value: value as string, label: LANGUAGES[value].name }));
  return (
    <Section title={t('appearance.title')}>
      <div className={classes.card}>
        <SettingRow label={t('appearance.theme')}>
          <SegmentedControl
            aria-label={t('appearance.theme')}
            value={theme}
            data={themes}
            onChange={(value) => void updateSettings({ theme: value })}
          />
        </SettingRow>
        <SettingRow label={t('appearance.language')}>
          <Select
            aria-label={t('appearance.language')}
            value={locale ?? SYSTEM}
            data={[{ value: SYSTEM, label: t('shell:systemLanguage') }, ...locales]}
            allowDeselect={false}
            onChange={(value) => void updateSettings({ locale: value === SYSTEM ? null : Locale.parse(value) })}
          />
        </SettingRow>
      </div>
    </Section>
  );
}
