import { Button, Menu, ScrollArea } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type ProviderChoice, type ProviderFacts, ThinkingEffort } from '../../../shared/model/settings.ts';
import { attempt } from '../../state/notify.ts';
import { chooseProvider, useSettings } from '../../state/settings-store.ts';
import classes from './composer.module.css';

/** Menu for the model and its thinking effort. A choice applies from the next turn on, so it stays enabled while one runs. */
export function ModelMenu() {
  const { t } = useTranslation('chat');
  const provider = useSettings((state) => state.settings.provider);
  const facts = useSettings((state) => state.providers.find(({ id }) => id === state.settings.provider));
  const choice = useSettings((state) => (provider ? state.settings.choices[provider] : undefined));
  if (!facts) return null;
  const model = choice?.model || facts.models[0]?.id || '';
  const effort = choice?.effort ?? 'default';
  const choose = (change: Partial<ProviderChoice>) =>
    void attempt(() => chooseProvider(facts.id, { baseUrl: '', ...choice, model, ...change }));
  return (
    <Menu position="top-start" width={250}>
      <Menu.Target>
        <Button
          className={classes.model ?? ''}
          classNames={{ inner: classes.modelInner ?? '', label: classes.modelLabel ?? '' }}
          title={model}
          variant="subtle"
          color="gray"
          size="compact-xs"
          rightSection={<IconChevronDown size={12} aria-hidden />}
          aria-label={t('composer.model.menu', { model })}
        >
          {model}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('composer.model.label', { name: facts.name })}</Menu.Label>
        <Menu.RadioGroup value={model} onChange={(id) => choose({ model: id })}>
          <ScrollArea.Autosize mah={220} type="auto">
            {toModels(facts, choice, model).map((id) => (
              <Menu.RadioItem key={id} value={id} closeMenuOnClick>
                {id}
              </Menu.RadioItem>
            ))}
          </ScrollArea.Autosize>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('composer.model.effort')}</Menu.Label>
        <Menu.RadioGroup value={effort} onChange={(id) => choose({ effort: ThinkingEffort.parse(id) })}>
          {ThinkingEffort.options.map((id) => (
            <Menu.RadioItem key={id} value={id} closeMenuOnClick>
              {t(`composer.effort.${id}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('composer.model.hint')}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The suggestions, and the names that the user entered. */
function toModels(facts: ProviderFacts, choice: ProviderChoice | undefined, model: string): string[] {
  const names = [
    ...facts.models.map(({ id }) => id),
    model,
    choice?.fastModel ?? '',
    ...Object.keys(choice?.limits ?? {}),
  ];
  return [...new Set(names.filter((name) => name !== ''))];
}
