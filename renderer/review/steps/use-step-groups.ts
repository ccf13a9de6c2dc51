import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { useReview } from '../../state/review/review-store.ts';
import { type StepGroup, type StepGroups, toStepGroups } from '../../state/review/step-groups.ts';

/** Returns the pieces of the proposal by step; null if no plan drafted it. */
export function useStepGroups(): StepGroups | null {
  return useReview(({ proposal }) => proposal && toStepGroups(proposal));
}

/** Returns the function that names a group: its step, the first two of several, or none. */
export function useGroupName(): (group: Pick<StepGroup, 'steps'>) => string {
  const { t } = useTranslation('review');
  const steps = useReview(({ proposal }) => proposal?.steps);
  return useMemo(() => {
    const names = new Map(steps?.map(({ id, summary }) => [id, toVisible(summary)]));
    const nameOf = (id: string) => names.get(id) ?? t('steps.unknown');
    return ({ steps: [first, second, ...more] }) => {
      if (first === undefined) return t('steps.none');
      if (second === undefined) return nameOf(first);
      const both = { first: nameOf(first), second: nameOf(second) };
      return more.length === 0 ? t('steps.joint', both) : t('steps.jointMore', { ...both, count: more.length });
    };
  }, [steps, t]);
}
