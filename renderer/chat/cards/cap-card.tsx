import { Button } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { answerConsent } from '../chat-actions.ts';
import classes from '../chat-rows.module.css';
import type { ItemOf } from '../chat-rows.ts';
import { formatAmount } from '../usage/spent-text.ts';
import { useQuestionCard } from './use-question-card.ts';

interface CapCardProps {
  item: ItemOf<'cap'>;
}

/** The question whether the assistant may pass the user's limit of what a turn or a day costs. */
export function CapCard({ item }: CapCardProps) {
  const { t, i18n } = useTranslation('chat');
  const [isBusy, run] = useBusy();
  const { scope, cap, spent, next, state } = item;
  const isOpen = state === 'pending';
  const answer = (goesOn: boolean) => run(() => answerConsent(item.id, goesOn ? 'once' : 'no'));
  const card = useQuestionCard({ isOpen, onAnswer: answer });
  const show = (amount: number) => formatAmount(amount, cap.unit, { t, locale: i18n.language });
  const title = t(isOpen ? `cap.title.${scope}` : 'cap.titlePast');
  const text =
    spent === null
      ? t('cap.unmeasured', { cap: show(cap.amount) })
      : t('cap.text', { spent: show(spent), cap: show(cap.amount) });
  return (
    <section
      {...card}
      className={classes.card}
      data-tone={isOpen ? 'accent' : 'past'}
      data-cap={state}
      aria-label={isOpen ? `${title} ${text}` : undefined}
      aria-description={isOpen ? t('cap.hint') : undefined}
    >
      <h3 className={classes.cardTitle}>
        <IconCoins size={16} aria-hidden />
        <span className={classes.cardName}>{title}</span>
        {state !== 'pending' && <span className={classes.cardState}>{t(`cap.answer.${state}`)}</span>}
      </h3>
      <p className={classes.text}>{text}</p>
      {isOpen && (
        <div className={classes.actions}>
          <Button disabled={isBusy} onClick={() => answer(true)}>
            {spent === null ? t('cap.goOnUnmeasured') : t('cap.goOn', { next: show(next) })}
          </Button>
          <Button variant="default" disabled={isBusy} onClick={() => answer(false)}>
            {t('cap.stop')}
          </Button>
        </div>
      )}
    </section>
  );
}
