import { UnstyledButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProviderFacts, ProviderId } from '../../../shared/model/settings.ts';
import { updateSettings, useSettings } from '../../state/settings-store.ts';
import { Section } from '../section.tsx';
import classes from '../settings-view.module.css';
import { ForgetKeys } from './forget-keys.tsx';
import { ProviderDetails } from './provider-details.tsx';

const isLocal = (facts: ProviderFacts) => facts.regions.some((region) => region.id === 'local');

/** A card per provider, and the address, model and key of the selected one. Selecting applies it. */
export function AssistantSettings() {
  const { t } = useTranslation('settings');
  const providers = useSettings((state) => state.providers);
  const provider = useSettings((state) => state.settings.provider);
  const stored = useSettings((state) => state.keys.stored);
  const facts = providers.find(({ id }) => id === provider);
  return (
    <Section title={t('assistant.title')} lead={t('assistant.lead')}>
      <ProviderCards
        label={t('assistant.services')}
        providers={providers.filter((one) => !isLocal(one))}
        chosen={provider}
        stored={stored}
      />
      <ProviderCards
        label={t('assistant.yours')}
        providers={providers.filter(isLocal)}
        chosen={provider}
        stored={stored}
      />
      {facts && <ProviderDetails key={facts.id} facts={facts} />}
      <ForgetKeys />
    </Section>
  );
}

interface ProviderCardsProps {
  label: string;
  providers: ProviderFacts[];
  chosen: ProviderId | null;
  stored: ProviderId[];
}

/** A radio group of cards: arrow keys move the focus, Space or Enter selects. */
function ProviderCards({ label, providers, chosen, stored }: ProviderCardsProps) {
  const { t } = useTranslation('settings');
  const [focused, setFocused] = useState<ProviderId | null>(null);
  const stop = providers.find(({ id }) => id === (focused ?? chosen))?.id ?? providers[0]?.id;

  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]')];
    const at = cards.indexOf(document.activeElement as HTMLElement);
    cards[(at + step + cards.length) % cards.length]?.focus();
  };

  return (
    <>
      <p className={classes.group} aria-hidden>
        {label}
      </p>
      <div className={classes.providers} role="radiogroup" aria-label={label} onKeyDown={move}>
        {providers.map(({ id, name, needsKey }) => {
          const isReady = stored.includes(id);
          return (
            <UnstyledButton
              key={id}
              className={classes.provider}
              role="radio"
              aria-checked={id === chosen}
              tabIndex={id === stop ? 0 : -1}
              data-ready={isReady || undefined}
              data-provider={id}
              onFocus={() => setFocused(id)}
              onClick={() => void updateSettings({ provider: id })}
            >
              <span className={classes.providerName}>{id === 'custom' ? t('assistant.custom') : name}</span>
              {isReady && (
                <span className={classes.providerNote}>
                  <IconCheck size={13} aria-hidden /> {t('assistant.keyKept')}
                </span>
              )}
              {!isReady && !needsKey && (
                <span className={classes.providerNote}>
                  {t(id === 'custom' ? 'assistant.customHint' : 'assistant.noKeyNeeded')}
                </span>
              )}
            </UnstyledButton>
          );
        })}
      </div>
    </>
  );
}
