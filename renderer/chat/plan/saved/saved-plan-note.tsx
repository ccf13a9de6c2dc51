import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import classes from '../../chat-rows.module.css';
import type { ItemOf } from '../../chat-rows.ts';
import { reopenPlan } from './saved-plan-actions.ts';
import { useSavedPlans } from './use-saved-plans.ts';

/** Says that a plan is saved; where it does not wait any more, with a button that brings it back. */
export function SavedPlanNote({ item }: { item: Pick<ItemOf<'plan'>, 'saved' | 'state'> }) {
  const { t } = useTranslation('chat');
  const [isBusy, run] = useBusy();
  const list = useSavedPlans();
  if (!list?.plans.some(({ id, isForeign }) => id === item.saved && !isForeign)) return null;
  return (
    <>
      <p className={classes.text} data-quiet>
        {t('savedPlans.kept')}
      </p>
      {item.state !== 'ready' && (
        <div className={classes.actions}>
          <Button
            variant="default"
            loading={isBusy}
            onClick={() =>
              run(async () => {
                await reopenPlan(item.saved);
              })
            }
          >
            {t('savedPlans.reopen')}
          </Button>
        </div>
      )}
    </>
  );
}
