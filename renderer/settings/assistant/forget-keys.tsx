import { Button, Group, Popover, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify, notifyError } from '../../state/notify.ts';
import { forgetKeys, useSettings } from '../../state/settings-store.ts';
import classes from '../settings-view.module.css';

/** Removes all keys after a confirmation; lists the stored keys before and the number removed after. */
export function ForgetKeys() {
  const { t } = useTranslation('settings');
  const stored = useSettings((state) => state.keys.stored);
  const providers = useSettings((state) => state.providers);
  const [isAsking, setAsking] = useState(false);
  const names = stored.map((id) => providers.find((facts) => facts.id === id)?.name ?? id);
  const hint =
    stored.length === 0
      ? t('assistant.forgetNone')
      : t('assistant.forgetHint', { count: stored.length, names: names.join(t('common:listSeparator')) });

  const forget = async () => {
    setAsking(false);
    try {
      notify({ level: 'success', text: t('assistant.forgot', { count: await forgetKeys() }) });
    } catch (error) {
      notifyError(error);
    }
  };

  return (
    <div className={classes.row}>
      <span className={classes.hint} data-testid="kept-keys">
        {hint}
      </span>
      <Popover opened={isAsking} onChange={setAsking} position="top-end" trapFocus width={260}>
        <Popover.Target>
          <Button variant="default" disabled={stored.length === 0} onClick={() => setAsking(!isAsking)}>
            {t('assistant.forget')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <Text size="sm">{t('assistant.forgetAsk')}</Text>
          <Group gap="xs" mt="sm" justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)}>
              {t('common:cancel')}
            </Button>
            <Button color="red" variant="light" onClick={() => void forget()}>
              {t('assistant.forget')}
            </Button>
          </Group>
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
