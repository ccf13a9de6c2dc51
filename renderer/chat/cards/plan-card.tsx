import { Button, Loader, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconListNumbers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { useChat, writeInComposer } from '../../state/chat/chat-store.ts';
import { useBusy } from '../../ui/use-busy.ts';
import { runPlan } from '../../workflows/send-message.ts';
import type { ItemOf } from '../rows/chat-rows.ts';
import classes from '../rows/rows.module.css';
import { MarkdownText } from '../text/markdown-text.tsx';
import { MentionText } from '../text/mention-text.tsx';

interface PlanCardProps {
  item: ItemOf<'plan'>;
}

const STEP_LABEL = { done: 'plan.stepDone', active: 'plan.stepActive', waiting: 'plan.stepWaiting' } as const;

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
      <ol className={`${classes.steps} ${item.state === 'dropped' ? classes.dropped : ''}`}>
        {item.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position
          <li key={index} className={classes.step} data-state={step.state}>
            <span className={classes.mark} aria-hidden>
              {step.state === 'done' && <IconCheck size={12} stroke={2.5} />}
              {step.state === 'active' && <Loader size={13} />}
              {step.state === 'waiting' && index + 1}
            </span>
            <span>
              <MentionText text={toSpelled(step.text)} />
              {item.state !== 'ready' && <VisuallyHidden> ({t(STEP_LABEL[step.state])})</VisuallyHidden>}
            </span>
          </li>
        ))}
      </ol>
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
