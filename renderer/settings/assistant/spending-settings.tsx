import { Group, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Cap, type CapScope, CapUnit } from '../../../shared/model/cost/cap.ts';
import { toModelPrice } from '../../../shared/model/cost/price-catalog.ts';
import { toProviderAddress } from '../../../shared/model/provider-address.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { updateSettings, useSettings } from '../../state/settings-store.ts';
import { Section, SettingRow } from '../section.tsx';
import classes from '../settings-view.module.css';

/** The amounts before which the assistant asks. */
export function SpendingSettings() {
  const { t } = useTranslation('settings');
  return (
    <Section title={t('spending.title')} lead={t('spending.lead')}>
      <div className={classes.card}>
        <CapRow scope="turn" />
        <CapRow scope="day" />
      </div>
    </Section>
  );
}

function CapRow({ scope }: { scope: CapScope }) {
  const { t } = useTranslation('settings');
  const setting = `${scope}Cap` as const;
  const cap = useSettings((state) => state.settings[setting]);
  const standard = useSettings((state) => toUnit(state.settings));
  const [chosen, setChosen] = useState<CapUnit | null>(null);
  const unit = chosen ?? cap?.unit ?? standard;
  const keep = (amount: string, nextUnit: CapUnit) => {
    const next = Cap.safeParse({ unit: nextUnit, amount: Number(amount) });
    void updateSettings({ [setting]: next.success ? next.data : null });
  };
  return (
    <SettingRow label={t(`spending.${scope}`)} hint={t(`spending.${scope}Hint`)}>
      <Group gap="xs" wrap="nowrap">
        <NumberInput
          // A unit or a value from elsewhere shows at once.
          key={cap?.amount ?? 'none'}
          w={110}
          aria-label={t(`spending.${scope}`)}
          placeholder={t('spending.none')}
          defaultValue={cap?.amount ?? ''}
          hideControls
          min={0}
          max={1_000_000_000}
          allowNegative={false}
          onBlur={(event) => keep(event.currentTarget.value, unit)}
        />
        <Select
          w={130}
          aria-label={t('spending.unit')}
          data={CapUnit.options.map((value) => ({ value, label: t(`spending.units.${value}`) }))}
          value={unit}
          allowDeselect={false}
          onChange={(value) => {
            const next = CapUnit.catch('tokens').parse(value);
            setChosen(next);
            if (cap) keep(String(cap.amount), next);
          }}
        />
      </Group>
    </SettingRow>
  );
}

/** The unit in which the chosen model is charged; tokens when its price is unknown. */
function toUnit({ provider, choices }: Settings): CapUnit {
  if (provider === null) return 'tokens';
  const choice = choices[provider];
  const baseUrl = toProviderAddress(provider, choices);
  const price = toModelPrice({ provider, baseUrl, model: choice?.model ?? '' }, choice?.prices);
  return price === null || price === 'free' ? 'tokens' : price.currency;
}
