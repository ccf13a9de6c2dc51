import { NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Settings } from '../../shared/model/settings.ts';
import { updateSettings, useSettings } from '../state/settings-store.ts';
import { Section, SettingRow } from './section.tsx';
import classes from './settings-view.module.css';
import { SwitchRow } from './switch-row.tsx';

/** When the whole game is kept, and how much. */
export function CheckpointSettings() {
  const { t } = useTranslation('settings');
  return (
    <Section title={t('states.title')} lead={t('states.lead')}>
      <div className={classes.card}>
        <SwitchRow setting="keepsCheckpoints" label={t('states.automatic')} hint={t('states.automaticHint')} />
        <LimitRow setting="checkpointCount" label={t('states.count')} hint={t('states.countHint')} max={200} />
        <LimitRow setting="checkpointGigabytes" label={t('states.size')} hint={t('states.sizeHint')} max={500} />
      </div>
    </Section>
  );
}

interface LimitRowProps {
  setting: 'checkpointCount' | 'checkpointGigabytes';
  label: string;
  hint: string;
  max: number;
}

function LimitRow({ setting, label, hint, max }: LimitRowProps) {
  const value = useSettings((state) => state.settings[setting]);
  const keep = (text: string) => {
    const next = Settings.shape[setting].safeParse(Number.parseInt(text, 10));
    if (next.success && next.data !== value) void updateSettings({ [setting]: next.data });
  };
  return (
    <SettingRow label={label} hint={hint}>
      <NumberInput
        // A value from elsewhere shows at once.
        key={value}
        w={90}
        aria-label={label}
        defaultValue={value}
        min={1}
        max={max}
        allowDecimal={false}
        allowNegative={false}
        onBlur={(event) => keep(event.currentTarget.value)}
      />
    </SettingRow>
  );
}
