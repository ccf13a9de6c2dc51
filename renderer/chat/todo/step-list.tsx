import { Loader, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { TodoItem } from '../../../shared/model/chat.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import classes from '../chat-rows.module.css';
import { MentionText } from '../text/mention-text.tsx';

interface StepListProps {
  steps: readonly TodoItem[];
  /** True while the assistant works on them. */
  isLive: boolean;
}

const STEP_LABEL = { done: 'plan.stepDone', active: 'plan.stepActive', waiting: 'plan.stepWaiting' } as const;

/** The items of a to-do list, with their states. */
export function StepList({ steps, isLive }: StepListProps) {
  const { t } = useTranslation('chat');
  return (
    <ol className={classes.steps}>
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position
        <li key={index} className={classes.step} data-state={step.state}>
          <span className={classes.mark} data-state={step.state} aria-hidden>
            {step.state === 'done' && <IconCheck size={12} stroke={2.5} />}
            {step.state === 'active' && isLive && <Loader size={13} />}
            {(step.state === 'waiting' || (step.state === 'active' && !isLive)) && index + 1}
          </span>
          <span>
            <MentionText text={toSpelled(step.text)} />
            <VisuallyHidden> ({t(STEP_LABEL[step.state])})</VisuallyHidden>
          </span>
        </li>
      ))}
    </ol>
  );
}
