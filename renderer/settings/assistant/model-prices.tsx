import { Group, Input, NumberInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Currency, OwnPrice } from '../../../shared/model/cost/price.ts';
import { toModelPrice } from '../../../shared/model/cost/price-catalog.ts';
import type { ProviderChoice, ProviderFacts } from '../../../shared/model/settings.ts';

interface ModelPricesProps {
  facts: ProviderFacts;
  baseUrl: string;
  model: string;
  choice: ProviderChoice | undefined;
  onChange: (change: Partial<ProviderChoice>) => void;
}

const FIELDS = ['input', 'cached', 'output'] as const;
type Field = (typeof FIELDS)[number];

/** What a model costs for a million tokens: the figures of the catalogue, unless the user enters others. Saved on blur. */
export function ModelPrices({ facts, baseUrl, model, choice, onChange }: ModelPricesProps) {
  const { t, i18n } = useTranslation('settings');
  const own = choice?.prices?.[model];
  const known = toModelPrice({ provider: facts.id, baseUrl, model });
  const listed = known === null || known === 'free' ? null : known;
  const [currency, setCurrency] = useState(own?.currency ?? listed?.currency ?? 'CNY');
  const [typed, setTyped] = useState<Record<Field, number | string>>({
    input: own?.input ?? '',
    cached: own?.cached ?? '',
    output: own?.output ?? '',
  });

  const keep = (price: Record<Field, number | string> & { currency: Currency }) => {
    const filled = Object.entries(price).filter(([, value]) => value !== '');
    const next = OwnPrice.safeParse(Object.fromEntries(filled));
    // Half a price would make every total wrong, so it counts as none.
    const { [model]: before, ...others } = choice?.prices ?? {};
    if (JSON.stringify(before) === JSON.stringify(next.data)) return;
    onChange({ prices: next.success ? { ...others, [model]: next.data } : others });
  };
  const toHint = (field: Field): string => {
    if (known === 'free') return t('assistant.prices.free');
    const rate = listed?.rates[field];
    if (rate === undefined || listed?.date == null) return t('assistant.prices.unknown');
    const amount = new Intl.NumberFormat(i18n.language, {
      ...{ style: 'currency', currency: listed.currency, maximumFractionDigits: 4 },
    }).format(rate);
    return t('assistant.limitsKnown', { amount, date: listed.date });
  };

  return (
    <div>
      <Input.Label labelElement="div">{t('assistant.prices.title', { model })}</Input.Label>
      <Text size="xs" c="dimmed" mb={4}>
        {t('assistant.prices.hint')}
      </Text>
      <Group grow align="flex-end" gap="xs">
        {FIELDS.map((field) => (
          <NumberInput
            key={field}
            label={t(`assistant.prices.${field}`)}
            placeholder={toHint(field)}
            value={typed[field]}
            min={0}
            max={100_000}
            decimalScale={6}
            hideControls
            allowNegative={false}
            onChange={(value) => setTyped((before) => ({ ...before, [field]: value }))}
            onBlur={() => keep({ ...typed, currency })}
          />
        ))}
        <Select
          label={t('assistant.prices.currency')}
          data={Currency.options.map((value) => ({ value, label: t(`spending.units.${value}`) }))}
          value={currency}
          allowDeselect={false}
          onChange={(value) => {
            const chosen = Currency.catch('CNY').parse(value);
            setCurrency(chosen);
            keep({ ...typed, currency: chosen });
          }}
        />
      </Group>
    </div>
  );
}
