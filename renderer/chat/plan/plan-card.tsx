import { Button } from '@mantine/core';
import { IconListNumbers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { useChat, writeInComposer } from '../../state/chat/chat-store.ts';
import { useBusy } from '../../ui/use-busy.ts';
import { editPlan, runPlan } from '../../workflows/send-message.ts';
import classes from '../chat-rows.module.css';
import type { ItemOf } from '../chat-rows.ts';
import { MarkdownText } from '../text/markdown-text.tsx';
import planClasses from './plan.module.css';
import { changeStep, handOver, mayRun, moveStep, type PlanSteps } from './plan-edits.ts';
import { PlanStepRow } from './plan-step-row.tsx';

interface PlanCardProps {
  item: ItemOf<'plan'>;
}

/** A plan of the assistant: its steps, which the user can change while it waits, and the button that starts it. */
export function PlanCard({ item }: PlanCardProps) {
  const { t } = useTranslation('chat');
  const isIdle = useChat((state) => !['model', 'tool', 'consent'].includes(state.chat?.phase ?? 'idle'));
  const [isBusy, run] = useBusy();
  const { id, steps } = item;
  const isReady = item.state === 'ready';
  const canEdit = isReady && isIdle && !isBusy;
  const save = (edited: PlanSteps) => run(() => editPlan(id, edited));
  const canRun = steps.some(mayRun);
  const blocked = steps.filter(
    ({ step_id, approved }) => !approved && item.assessment.unsafe_steps.includes(step_id),
  ).length;
  const isLeftToUser = steps.length > 0 && steps.every(({ step_type: type }) => type === 'manual_review');
  return (
    <section className={classes.card} data-tone={item.state === 'dropped' ? 'past' : undefined}>
      <h3 className={classes.cardTitle}>
        <IconListNumbers size={16} aria-hidden />
        {t('plan.title', { count: steps.length })}
        {!isReady && <span className={classes.cardState}>{t(`plan.${item.state}`)}</span>}
      </h3>
      {item.text.trim() && <MarkdownText text={toSpelled(item.text)} />}
      <ol className={planClasses.steps} data-dropped={item.state === 'dropped' || undefined}>
        {steps.map((step, index) => (
          <PlanStepRow
            key={step.step_id}
            step={step}
            place={index}
            count={steps.length}
            isOpen={isReady}
            canEdit={canEdit}
            onMove={(by) => save(moveStep(steps, index, by))}
            onChange={(change) => save(changeStep(steps, step.step_id, change))}
          />
        ))}
      </ol>
      {isReady && (isLeftToUser || blocked > 0) && (
        <p className={classes.text} data-quiet>
          {isLeftToUser ? t('plan.inWords') : t('plan.blocked', { count: blocked })}
        </p>
      )}
      {isReady && (
        <div className={classes.actions}>
          <Button disabled={!isIdle || !canRun} loading={isBusy} onClick={() => run(() => runPlan(id))}>
            {t(steps.some(({ state }) => state !== 'waiting') ? 'plan.runRest' : 'plan.run')}
          </Button>
          {isLeftToUser && (
            <Button variant="default" disabled={!canEdit} onClick={() => save(handOver(steps))}>
              {t('plan.handOver')}
            </Button>
          )}
          <Button variant="default" onClick={() => writeInComposer({ text: t('plan.changePrompt'), mode: 'plan' })}>
            {t('plan.change')}
          </Button>
        </div>
      )}
    </section>
  );
}
