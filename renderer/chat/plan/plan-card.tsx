import { Button } from '@mantine/core';
import { IconListNumbers } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { mayRunStep } from '../../../shared/model/plan/patch.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { useChat, writeInComposer } from '../../state/chat/chat-store.ts';
import { useSettings } from '../../state/settings-store.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { editPlan, runPlan } from '../../workflows/send-message.ts';
import classes from '../chat-rows.module.css';
import type { ItemOf } from '../chat-rows.ts';
import { MarkdownText } from '../text/markdown-text.tsx';
import planClasses from './plan.module.css';
import { PlanCheckNote } from './plan-check-note.tsx';
import { changeStep, handOver, mayRun, moveStep, type PlanSteps } from './plan-edits.ts';
import { PlanStepRow } from './plan-step-row.tsx';
import { SavedPlanNote } from './saved/saved-plan-note.tsx';
import { useWrittenSteps, type WrittenSteps } from './use-written-steps.ts';

interface PlanCardProps {
  item: ItemOf<'plan'>;
}

/** A plan of the assistant: its steps, which the user can change while it waits, and the button that starts it. */
export function PlanCard({ item }: PlanCardProps) {
  const { t } = useTranslation('chat');
  const isIdle = useChat((state) => !['model', 'tool', 'consent'].includes(state.chat?.phase ?? 'idle'));
  const [isSaving, runSave] = useBusy();
  const [isStarting, start] = useBusy();
  const saving = useRef(Promise.resolve(true));
  const { id, steps } = item;
  const isReady = item.state === 'ready';
  const canEdit = isReady && isIdle && !isSaving && !isStarting;
  const save = (edited: PlanSteps) =>
    runSave(() => {
      saving.current = editPlan(id, edited);
      return saving.current;
    });
  // Pressing the button ends an edit, which is then being saved: the click must not be lost.
  const runSaved = () =>
    start(async () => {
      const isSaved = await saving.current;
      saving.current = Promise.resolve(true);
      if (isSaved) await runPlan(id);
    });
  const canRun = steps.some(mayRun);
  const written = useWrittenSteps(steps);
  const isDry = useSettings(({ settings }) => settings.dryRun);
  const blocked = steps.filter(
    ({ step_id, approved }) => !approved && item.assessment.unsafe_steps.includes(step_id),
  ).length;
  const isHeldBack = steps.some((step) => step.ticked && !mayRunStep(step) && step.state !== 'drafted');
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
            written={written}
            isChecked={item.check?.checked.includes(step.step_id) === true}
          />
        ))}
      </ol>
      {written.pending.length > 0 && <WrittenBar written={written} />}
      {item.check && <PlanCheckNote check={item.check} count={steps.filter(({ ticked }) => ticked).length} />}
      {isReady && (isLeftToUser || blocked > 0) && (
        <p className={classes.text} data-quiet>
          {isLeftToUser ? t('plan.inWords') : t('plan.blocked', { count: blocked })}
        </p>
      )}
      {item.state !== 'running' && isHeldBack && <SavedPlanNote item={item} />}
      {isReady && (
        <div className={classes.actions}>
          <Button disabled={!isIdle || !canRun} loading={isStarting} onClick={runSaved}>
            {t(isDry ? 'plan.runCheck' : steps.some(({ state }) => state !== 'waiting') ? 'plan.runRest' : 'plan.run')}
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

/** What was written without review and waits: all of it at once. */
function WrittenBar({ written }: { written: WrittenSteps }) {
  const { t } = useTranslation('chat');
  const { pending, isBusy } = written;
  const count = pending.length;
  return (
    <>
      <p className={classes.text}>{t('plan.written.wait', { count })}</p>
      {count > 1 && (
        <div className={classes.actions}>
          <Button variant="default" disabled={isBusy} onClick={() => written.keep(pending)}>
            {t('plan.written.keepAll')}
          </Button>
          <Button variant="default" disabled={isBusy} onClick={() => written.undo(pending)}>
            {t('plan.written.undoAll')}
          </Button>
        </div>
      )}
    </>
  );
}
