import { Button, Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '../../../ui/focus/use-focus-back.ts';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { discardPlan, notifyDiscarded, reopenPlan, restorePlan } from './saved-plan-actions.ts';
import { SavedPlanRow } from './saved-plan-row.tsx';
import classes from './saved-plans.module.css';
import type { SavedPlanList } from './use-saved-plans.ts';

/** The plans that could not run as they were: look at, reopen, discard. */
export function SavedPlansDialog({ list, onClose }: { list: SavedPlanList | null; onClose: () => void }) {
  useFocusBack();
  const { t } = useTranslation('chat');
  const [now] = useState(Date.now);
  const [isBusy, run] = useBusy();
  const status = useRef<HTMLDivElement>(null);
  const { discarded, setDiscarded } = useDiscarded();
  const reopen = (id: string) =>
    run(async () => {
      if (await reopenPlan(id)) onClose();
    });
  const discard = (id: string) =>
    run(async () => {
      if (await discardPlan(id)) setDiscarded(id);
      // The row with the focus is gone.
      status.current?.focus();
    });
  const restore = (id: string) =>
    run(async () => {
      if (await restorePlan(id)) setDiscarded(null);
      status.current?.focus();
    });
  const count = list?.plans.length ?? 0;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('savedPlans.menu')}
      size={560}
      centered
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <p className={classes.hint}>{t('savedPlans.hint')}</p>
      <div ref={status} className={classes.status} role="status" tabIndex={-1}>
        {discarded !== null ? (
          <>
            <span>{t('savedPlans.discarded')}</span>
            <Button size="compact-xs" variant="light" disabled={isBusy} onClick={() => restore(discarded)}>
              {t('common:undo')}
            </Button>
          </>
        ) : (
          <span>
            {!list ? t('common:loading') : count === 0 ? t('savedPlans.none') : t('savedPlans.count', { count })}
          </span>
        )}
      </div>
      {list !== null && list.leftOut > 0 && (
        <p className={classes.hint}>{t('savedPlans.leftOut', { count: list.leftOut })}</p>
      )}
      <ul className={classes.list}>
        {list?.plans.map((plan) => (
          <SavedPlanRow
            key={plan.id}
            plan={plan}
            now={now}
            isBusy={isBusy}
            onReopen={() => reopen(plan.id)}
            onDiscard={() => discard(plan.id)}
          />
        ))}
      </ul>
    </Modal>
  );
}

/** The plan that was discarded last. When the dialog closes, a notification offers to bring it back. */
function useDiscarded() {
  const [discarded, setDiscarded] = useState<string | null>(null);
  const last = useRef<string | null>(null);
  last.current = discarded;
  useEffect(
    () => () => {
      if (last.current !== null) notifyDiscarded(last.current);
    },
    [],
  );
  return { discarded, setDiscarded };
}
