import { Anchor, Autocomplete, Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconExternalLink, IconShieldLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProviderChoice, ProviderFacts } from '../../../shared/model/settings.ts';
import { api } from '../../api.ts';
import { notifyError } from '../../state/notify.ts';
import { chooseProvider, useSettings } from '../../state/settings-store.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import classes from '../settings-view.module.css';
import { ConnectionTest } from './connection-test.tsx';
import { KeyField } from './key-field.tsx';
import { ModelOptions } from './model-options.tsx';

interface ProviderDetailsProps {
  facts: ProviderFacts;
}

const OWN = 'own';

/** Address, model and key of one provider. Fields are saved on blur. */
export function ProviderDetails({ facts }: ProviderDetailsProps) {
  const { t } = useTranslation('settings');
  const place = useSettings((state) => state.keys.place);
  const kept = useSettings((state) => state.settings.choices[facts.id]);
  const standard = facts.regions[0]?.baseUrl ?? '';
  const [baseUrl, setBaseUrl] = useState(kept?.baseUrl || standard);
  const [model, setModel] = useState(kept?.model ?? facts.models[0]?.id ?? '');
  const [error, setError] = useState<unknown>(null);
  const known = facts.regions.find((region) => region.baseUrl === baseUrl);
  const hasChoice = facts.regions.length > 1;
  const regionLabel = t(hasChoice ? 'assistant.region' : 'assistant.address');
  const [isOwn, setOwn] = useState(!known);

  const keep = async (change: Partial<ProviderChoice>) => {
    try {
      await chooseProvider(facts.id, { ...kept, baseUrl, model, ...change });
      setError(null);
    } catch (caught) {
      setError(caught);
      throw caught;
    }
  };
  // The field shows the error.
  const keepNow = (change: Partial<ProviderChoice>) => void keep(change).catch(() => undefined);

  const chooseRegion = (id: string) => {
    setOwn(id === OWN);
    const region = facts.regions.find((one) => one.id === id);
    if (!region) return;
    setBaseUrl(region.baseUrl);
    keepNow({ baseUrl: region.baseUrl, model });
  };

  return (
    <div className={classes.details} data-testid="provider-details">
      {facts.regions.length > 0 && (
        <div>
          <Text fw={500} size="sm" mb={4}>
            {regionLabel}
          </Text>
          <SegmentedControl
            aria-label={regionLabel}
            value={isOwn ? OWN : (known?.id ?? OWN)}
            data={[...facts.regions.map(({ id }) => id), OWN].map((value) => ({
              value,
              label: t(
                `assistant.regions.${value === 'intl' || value === 'cn' ? (hasChoice ? value : 'official') : value}`,
              ),
            }))}
            onChange={chooseRegion}
          />
          {hasChoice && (
            <Text size="xs" c="dimmed" mt={4}>
              {t('assistant.regionHint')}
            </Text>
          )}
        </div>
      )}
      {isOwn && (
        <TextInput
          label={t('assistant.address')}
          description={t('assistant.addressHint')}
          placeholder="https://"
          value={baseUrl}
          spellCheck={false}
          error={error === null ? null : describeError(error, t)}
          onChange={(event) => setBaseUrl(event.currentTarget.value)}
          onBlur={() => keepNow({ baseUrl, model })}
        />
      )}
      <Autocomplete
        label={t('assistant.model')}
        description={t('assistant.modelHint')}
        data={facts.models.map(({ id }) => id)}
        filter={({ options }) => options}
        value={model}
        spellCheck={false}
        onChange={setModel}
        onOptionSubmit={(value) => keepNow({ baseUrl, model: value })}
        onBlur={() => keepNow({ baseUrl, model })}
      />
      <KeyField facts={facts} />
      <ModelOptions {...{ facts, baseUrl }} model={model.trim()} choice={kept} onChange={keepNow} />
      <p className={classes.place}>
        <IconShieldLock size={15} stroke={1.6} aria-hidden />
        {t(`assistant.place.${place}`)}
      </p>
      <Group justify="space-between" align="flex-start">
        <ConnectionTest facts={facts} model={model} prepare={() => keep({ baseUrl, model })} />
        {facts.keyPage && (
          <Anchor
            component="button"
            size="sm"
            onClick={() => facts.keyPage && void api.call('app.openLink', { url: facts.keyPage }).catch(notifyError)}
          >
            {t('assistant.keyPage')} <IconExternalLink size={13} aria-hidden />
          </Anchor>
        )}
      </Group>
    </div>
  );
}
