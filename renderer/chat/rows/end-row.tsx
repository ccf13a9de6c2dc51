import { Button } from '@mantine/core';
import { IconAlertCircle, IconPlayerPause } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ErrorData } from '../../../shared/errors.ts';
import type { TurnEnd } from '../../../shared/model/chat.ts';
import { chatStore } from '../../state/chat/chat-store.ts';
import { showView } from '../../state/navigation.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import { continueTurn } from '../../workflows/send-message.ts';
import { createSession } from '../chat-actions.ts';
import classes from '../chat-rows.module.css';
import { hasWorked, type ItemOf } from '../chat-rows.ts';
import { toRemedy } from './failure-kind.ts';

interface EndRowProps {
  item: ItemOf<'end'>;
  /** True if it is the last row; only then its actions apply. */
  isLast: boolean;
}

/** The reason why a turn ended early, and how to continue. */
export function EndRow({ item, isLast }: EndRowProps) {
  return item.reason === 'error' ? <FailedEnd item={item} isLast={isLast} /> : <QuietEnd item={item} isLast={isLast} />;
}

function QuietEnd({ item, isLast }: EndRowProps) {
  const { t } = useTranslation('chat');
  if (item.unchanged) {
    return (
      <div className={classes.note} data-level="warning">
        <IconAlertCircle size={15} aria-hidden />
        <p className={classes.text}>{t('end.unchanged')}</p>
      </div>
    );
  }
  return (
    <div>
      <div className={classes.tool}>
        <IconPlayerPause size={14} aria-hidden />
        <p>{t(`end.${item.reason as Exclude<TurnEnd, 'done' | 'review' | 'answer' | 'error'>}`)}</p>
      </div>
      {isLast && <RetryActions item={item} />}
    </div>
  );
}

function FailedEnd({ item, isLast }: EndRowProps) {
  const { t } = useTranslation('chat');
  return (
    <section className={classes.card} data-tone={isLast ? 'error' : 'past'}>
      <div className={classes.note} data-level="error">
        <IconAlertCircle size={16} aria-hidden />
        <p className={classes.text}>{describeError(item.error, t)}</p>
      </div>
      {isLast && <RetryActions item={item} error={item.error} />}
      {item.error && <ErrorDetails error={item.error} />}
    </section>
  );
}

function RetryActions({ item, error }: { item: ItemOf<'end'>; error?: ErrorData | undefined }) {
  const { t } = useTranslation('chat');
  const [isBusy, run] = useBusy();
  const remedy = error ? toRemedy(error) : 'again';
  const label =
    item.reason === 'steps'
      ? 'goOn'
      : hasWorked(chatStore.getState().chat?.items ?? [], item.turn)
        ? 'continue'
        : 'retry';
  return (
    <div className={classes.actions}>
      {remedy === 'settings' && <Button onClick={() => showView('settings')}>{t('end.settings')}</Button>}
      {remedy === 'fresh' && <Button onClick={() => void createSession()}>{t('sessions.new')}</Button>}
      <Button variant="default" loading={isBusy} onClick={() => run(continueTurn)}>
        {t(`end.${label}`)}
      </Button>
    </div>
  );
}

function ErrorDetails({ error }: { error: ErrorData }) {
  const { t } = useTranslation('chat');
  const said = error.details?.detail;
  return (
    <details className={classes.details}>
      <summary>{t('tool.why')}</summary>
      {typeof said === 'string' && said !== '' && <p>{t('end.said', { text: said })}</p>}
      <pre>{[error.code, error.message, error.hint].filter(Boolean).join('\n')}</pre>
    </details>
  );
}
