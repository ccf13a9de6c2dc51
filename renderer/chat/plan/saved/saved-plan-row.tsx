import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavedPlan } from '../../../../shared/model/plan/saved-plan.ts';
import { toSpelled } from '../../../../shared/text/spelled-text.ts';
import { timeAgo } from '../../../ui/text/time-ago.ts';
import { useIssueText } from '../use-issue-text.ts';
import classes from './saved-plans.module.css';

interface SavedPlanRowProps {
  plan: SavedPlan;
  now: number;
  isBusy: boolean;
  onReopen: () => void;
  onDiscard: () => void;
}

/** A saved plan: its first step as its name, all steps on request, and what can be done with it. */
export function SavedPlanRow({ plan, now, isBusy, onReopen, onDiscard }: SavedPlanRowProps) {
  const { t, i18n } = useTranslation('chat');
  const [isOpen, setOpen] = useState(false);
  const body = useId();
  const { steps, count, blocked, isForeign, at } = plan;
  const name = toSpelled(steps[0]?.summary ?? '');
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li className={classes.plan}>
      <div className={classes.head}>
        <UnstyledButton
          className={classes.name}
          aria-expanded={isOpen}
          aria-controls={body}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron size={14} aria-hidden />
          <bdi>{name}</bdi>
        </UnstyledButton>
        {!isForeign && (
          <Button
            size="compact-xs"
            disabled={isBusy}
            aria-label={t('savedPlans.reopenPlan', { plan: name })}
            onClick={onReopen}
          >
            {t('savedPlans.reopen')}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="default"
          disabled={isBusy}
          aria-label={t('savedPlans.discardPlan', { plan: name })}
          onClick={onDiscard}
        >
          {t('savedPlans.discard')}
        </Button>
      </div>
      <p className={classes.facts}>
        <span>{t('savedPlans.steps', { count })}</span>
        {blocked > 0 && <span>{t('savedPlans.blocked', { count: blocked })}</span>}
        {isForeign && <span>{t('savedPlans.foreign')}</span>}
        <span>{timeAgo(at, i18n.language, now)}</span>
      </p>
      {isOpen && <PlanSteps plan={plan} id={body} />}
    </li>
  );
}

function PlanSteps({ plan: { steps, count }, id }: { plan: SavedPlan; id: string }) {
  const { t } = useTranslation('chat');
  const toText = useIssueText();
  const rows = steps.map((step, index) => ({ ...step, index }));
  return (
    <div id={id}>
      <ol className={classes.steps}>
        {rows.map(({ index, summary, type, why }) => (
          <li key={index}>
            {toSpelled(summary)} <span className={classes.type}>{t(`plan.type.${type}`)}</span>
            {why.map((issue) => (
              <p key={issue} className={classes.why}>
                {toText(issue)}
              </p>
            ))}
          </li>
        ))}
      </ol>
      {count > steps.length && <p className={classes.facts}>{t('savedPlans.more', { count: count - steps.length })}</p>}
    </div>
  );
}
