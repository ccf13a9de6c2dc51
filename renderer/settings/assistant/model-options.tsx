import { Autocomplete, Button, Group, Input, NumberInput, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toModelLimits, toModelSight } from '../../../shared/model/provider-catalog.ts';
import { OwnLimits, type ProviderChoice, type ProviderFacts, ThinkingEffort } from '../../../shared/model/settings.ts';
import { ModelPrices } from './model-prices.tsx';

interface ModelOptionsProps {
  facts: ProviderFacts;
  /** The chosen model, to which the limits belong. */
  model: string;
  choice: ProviderChoice | undefined;
  onChange: (change: Partial<ProviderChoice>) => void;
}

/** Thinking effort, fast model and limits of a provider's model. Fields are saved on blur. */
export function ModelOptions({ facts, baseUrl, model, choice, onChange }: ModelOptionsProps & { baseUrl: string }) {
  const { t } = useTranslation('settings');
  const standard = choice?.fastModel ?? facts.fastModel ?? '';
  const [fastModel, setFastModel] = useState(standard);
  return (
    <>
      <div>
        <Input.Label labelElement="div" display="block" mb={4}>
          {t('assistant.effort')}
        </Input.Label>
        <SegmentedControl
          aria-label={t('assistant.effort')}
          value={choice?.effort ?? 'default'}
          data={ThinkingEffort.options.map((value) => ({ value, label: t(`assistant.efforts.${value}`) }))}
          onChange={(effort) => onChange({ effort: effort as ThinkingEffort })}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {t('assistant.effortHint')}
        </Text>
      </div>
      <Autocomplete
        label={t('assistant.fastModel')}
        description={t('assistant.fastModelHint')}
        data={facts.models.map(({ id }) => id)}
        filter={({ options }) => options}
        value={fastModel}
        spellCheck={false}
        onChange={setFastModel}
        onOptionSubmit={(value) => onChange({ fastModel: value })}
        onBlur={() => {
          if (fastModel.trim() !== standard) onChange({ fastModel: fastModel.trim() });
        }}
      />
      {model !== '' && <Limits key={model} facts={facts} model={model} choice={choice} onChange={onChange} />}
      {model !== '' && <Sight facts={facts} model={model} choice={choice} onChange={onChange} />}
      {model !== '' && <ModelPrices key={`${model} ${baseUrl}`} {...{ facts, baseUrl, model, choice, onChange }} />}
    </>
  );
}

/** Whether one model sees pictures: as the catalogue says, unless the user knows better. */
function Sight({ facts, model, choice, onChange }: ModelOptionsProps) {
  const { t } = useTranslation('settings');
  const own = choice?.limits?.[model];
  const standard = toModelSight(facts.id, model);
  const usual = standard === null ? 'unknown' : standard ? 'yes' : 'no';
  const label = t('assistant.sees', { model });
  const change = (value: string) => {
    const { sees: _before, refusesPictures: _refused, ...rest } = own ?? {};
    const next = value === 'auto' ? rest : { ...rest, sees: value === 'yes' };
    onChange({ limits: { ...choice?.limits, [model]: next } });
  };
  return (
    <div>
      <Input.Label labelElement="div" display="block" mb={4}>
        {label}
      </Input.Label>
      <SegmentedControl
        aria-label={label}
        value={own?.sees === undefined ? 'auto' : own.sees ? 'yes' : 'no'}
        data={[
          { value: 'auto', label: t(`assistant.seesAuto.${usual}`) },
          { value: 'yes', label: t('assistant.seesYes') },
          { value: 'no', label: t('assistant.seesNo') },
        ]}
        onChange={change}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {t('assistant.seesHint')}
      </Text>
      {own?.refusesPictures && (
        <Group gap="xs" mt={4}>
          <Text size="xs">{t('assistant.seesRefused')}</Text>
          <Button size="compact-xs" variant="default" onClick={() => change('auto')}>
            {t('assistant.seesAgain')}
          </Button>
        </Group>
      )}
    </div>
  );
}

/** Window and longest answer of one model: the figures of the catalogue, unless the user enters others. */
function Limits({ facts, model, choice, onChange }: ModelOptionsProps) {
  const { t, i18n } = useTranslation('settings');
  const known = facts.models.find(({ id }) => id === model);
  const assumed = toModelLimits(facts.id, model);
  const own = choice?.limits?.[model];
  const change = (name: 'window' | 'output', text: string) => {
    const value = OwnLimits.shape[name].safeParse(text.trim() === '' ? undefined : Number(text));
    if (!value.success || value.data === own?.[name]) return;
    onChange({ limits: { ...choice?.limits, [model]: { ...own, [name]: value.data } } });
  };
  return (
    <Group grow align="flex-start">
      {(['window', 'output'] as const).map((name) => {
        const figure = (known?.[name] ?? assumed[name]).toLocaleString(i18n.language);
        const hint = known?.[name]
          ? t('assistant.limitsKnown', { amount: figure, date: known.date })
          : t('assistant.limitsUnknown', { amount: figure });
        return (
          <NumberInput
            key={name}
            label={t(`assistant.${name}`, { model })}
            description={t(`assistant.${name}Hint`)}
            placeholder={hint}
            defaultValue={own?.[name] ?? ''}
            hideControls
            allowDecimal={false}
            allowNegative={false}
            onBlur={(event) => change(name, event.currentTarget.value)}
          />
        );
      })}
    </Group>
  );
}
