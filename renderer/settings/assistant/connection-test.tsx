import { Button, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelProblem } from '../../../shared/model/model-problem.ts';
import type { ConnectionResult, ProviderFacts } from '../../../shared/model/settings.ts';
import { testConnection } from '../../state/settings-store.ts';
import { describeError } from '../../ui/text/describe-error.ts';

interface ConnectionTestProps {
  facts: ProviderFacts;
  model: string;
  /** Saves the fields first, so that the test uses their values. */
  prepare: () => Promise<void>;
}

type Outcome = ConnectionResult | { status: 'error'; error: unknown };

/** Problems reported by the provider, with a message of its own; the others occur before a response. */
const REPORTED_BY_SERVICE: ReadonlySet<string> = new Set<ModelProblem>([
  'key',
  'balance',
  'forbidden',
  'notFound',
  'wrongPath',
  'webPage',
  'noTools',
  'notStreamed',
  'refused',
  'memory',
  'rate',
  'overloaded',
  'tooLong',
  'filtered',
  'badAnswer',
]);

/** Sends a minimal request to the provider and shows the result. */
export function ConnectionTest({ facts, model, prepare }: ConnectionTestProps) {
  const { t, i18n } = useTranslation('settings');
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const run = async () => {
    setBusy(true);
    setOutcome(null);
    try {
      await prepare();
      setOutcome(await testConnection(facts.id));
    } catch (error) {
      setOutcome({ status: 'error', error });
    } finally {
      setBusy(false);
    }
  };

  const words = (result: Outcome): string => {
    if (result.status === 'error') return describeError(result.error, t);
    if (result.status === 'failed') return describeError({ code: 'E_IO', reason: `model.${result.problem}` }, t);
    const seconds = (result.milliseconds / 1000).toLocaleString(i18n.language, { maximumFractionDigits: 1 });
    return t('assistant.testOk', { model: result.model, seconds });
  };

  return (
    <div>
      <Button
        variant="light"
        leftSection={<IconPlugConnected size={15} stroke={1.6} />}
        loading={isBusy}
        disabled={model.trim() === ''}
        onClick={() => void run()}
      >
        {t('assistant.test')}
      </Button>
      <div role="status">
        {isBusy && (
          <Text size="sm" mt={8} c="dimmed">
            {t('assistant.testing', { name: facts.name })}
          </Text>
        )}
        {outcome && (
          <Text size="sm" mt={8} c={outcome.status === 'ok' ? 'var(--added)' : 'var(--error)'}>
            {words(outcome)}
          </Text>
        )}
        {outcome?.status === 'failed' && outcome.detail !== '' && REPORTED_BY_SERVICE.has(outcome.problem) && (
          <Text size="xs" mt={2} c="dimmed">
            {t('assistant.testDetail', { detail: outcome.detail })}
          </Text>
        )}
      </div>
    </div>
  );
}
