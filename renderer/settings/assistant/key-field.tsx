import { Button, PasswordInput, Text } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProviderFacts } from '../../../shared/model/settings.ts';
import { setKey, useSettings } from '../../state/settings-store.ts';
import { holdStage } from '../../state/stage/stage-focus.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import classes from '../settings-view.module.css';

interface KeyFieldProps {
  facts: ProviderFacts;
}

/** The only input for a key. It is cleared once the key is stored, and is never filled with a stored key. */
export function KeyField({ facts }: KeyFieldProps) {
  const { t } = useTranslation('settings');
  const isKept = useSettings((state) => state.keys.stored.includes(facts.id));
  const [key, setTyped] = useState('');
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState<unknown>(null);

  useEffect(() => holdStage('secret'), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await setKey(facts.id, key.trim());
      setTyped('');
      setDone(true);
      setError(null);
    } catch (caught) {
      setError(caught);
    }
  };
  const isElsewhere = useSettings((state) => state.keys.elsewhere.includes(facts.id));
  const placeholder = isKept ? 'assistant.keyReplace' : facts.needsKey ? 'assistant.keyNew' : 'assistant.keyOptional';
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className={classes.keyRow}>
        <PasswordInput
          label={t('assistant.key')}
          placeholder={t(placeholder)}
          value={key}
          autoComplete="off"
          spellCheck={false}
          visibilityToggleButtonProps={{ 'aria-label': t('assistant.keyShow') }}
          error={error === null ? null : describeError(error, t)}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setDone(false);
          }}
        />
        <Button type="submit" variant="default" disabled={key.trim() === ''}>
          {t('assistant.keySave')}
        </Button>
      </div>
      {isElsewhere && (
        <Text size="xs" c="var(--error)" mt={4}>
          {t('assistant.keyElsewhere')}
        </Text>
      )}
      <Text size="xs" c="var(--added)" role="status">
        {isDone && isKept && t('assistant.keySaved')}
      </Text>
    </form>
  );
}
