import { Button } from '@mantine/core';
import { IconSchool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ChatState } from '../../../shared/model/chat.ts';
import { useHistory } from '../../state/history/history-store.ts';
import { showView } from '../../state/navigation.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { sendMessage } from '../../workflows/send-message.ts';
import classes from './practice-banner.module.css';
import { TOUR_STEPS, toTourStep } from './tour-step.ts';

/** States that the practice assistant is not a model, and shows the next step of the tour. */
export function PracticeBanner({ chat }: { chat: ChatState }) {
  const { t } = useTranslation('tour');
  const [isSending, run] = useBusy();
  const isBack = useHistory((state) => state.groups?.[0]?.origin === 'restore');
  const step = toTourStep(chat.items, chat.phase, isBack);
  const number = step === 'wait' ? null : TOUR_STEPS.indexOf(step) + 1;
  return (
    <section className={classes.root} aria-label={t('label')}>
      <p className={classes.note}>
        <IconSchool size={16} aria-hidden />
        <span>{t('practice')}</span>
      </p>
      <p className={classes.step} role="status">
        {number !== null && <b className={classes.number}>{t('step', { number, total: TOUR_STEPS.length })}</b>}
        {t(`next.${step}`)}
      </p>
      {step === 'ask' && (
        <Button loading={isSending} onClick={() => run(() => sendMessage(t('request'), { mode: 'plan' }))}>
          {t('send')}
        </Button>
      )}
      {step === 'done' && (
        <Button variant="default" onClick={() => showView('settings')}>
          {t('connect')}
        </Button>
      )}
    </section>
  );
}
