import { Button } from '@mantine/core';
import { IconListNumbers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { useChat, writeInComposer } from '../../state/chat/chat-store.ts';
import { useBusy } from '../../ui/use-busy.ts';
import { runPlan } from '../../workflows/send-message.ts';
import classes from '../chat-rows.module.css';
import type { ItemOf } from '../chat-rows.ts';
import { MarkdownText } from '../text/markdown-text.tsx';
import { StepList } from '../todo/step-list.tsx';

interface PlanCardProps {
  item: ItemOf<'plan'>;
}

/** A plan of the assistant: numbered steps with their state, and the button that starts it. */
export function PlanCard({ item }: PlanCardProps) {
  const { t } = useTranslation('chat');
  const isIdle = useChat((state) => !['model', 'tool', 'consent'].includes(state.chat?.phase ?? 'idle'));
  const [isBusy, run] = useBusy();
  const isReady = item.state === 'ready';
  return (
    <section className={classes.card} data-tone={item.state === 'dropped' ? 'past' : undefined}>
      <h3 className={classes.cardTitle}>
        <IconListNumbers size={16} aria-hidden />
        {t('plan.title', { count: item.steps.length })}
        {!isReady && <span className={classes.cardState}>{t(`plan.${item.state}`)}</span>}
      </h3>
      {item.text.trim() && <MarkdownText text={toSpelled(item.text)} />}
      {/* While the plan is carried out, its steps are the list above the composer. */}
      {item.state !== 'running' && (
        <StepList steps={item.steps} isLive={false} hasStates={!isReady} isDropped={item.state === 'dropped'} />
      )}
      {isReady && (
        <div className={classes.actions}>
          <Button disabled={!isIdle} loading={isBusy} onClick={() => run(() => runPlan(item.id))}>
            {t('plan.run')}
          </Button>
          <Button variant="default" onClick={() => writeInComposer({ text: t('plan.changePrompt'), mode: 'plan' })}>
            {t('plan.change')}
          </Button>
        </div>
      )}
    </section>
  );
}
