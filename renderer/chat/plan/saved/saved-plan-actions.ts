import { api } from '../../../api.ts';
import { i18n } from '../../../i18n/setup.ts';
import { attempt, notify } from '../../../state/notify.ts';

/** Shows a saved plan in the open conversation. */
export function reopenPlan(id: string): Promise<boolean> {
  return attempt(() => api.call('plans.reopen', { id }));
}

/** Puts a saved plan aside. */
export function discardPlan(id: string): Promise<boolean> {
  return attempt(() => api.call('plans.discard', { id }));
}

export function restorePlan(id: string): Promise<boolean> {
  return attempt(() => api.call('plans.restore', { id }));
}

/** Offers to bring a discarded plan back. */
export function notifyDiscarded(id: string): void {
  notify({
    level: 'info',
    text: i18n.t('chat:savedPlans.discarded'),
    action: { label: i18n.t('common:undo'), run: () => void restorePlan(id) },
  });
}
