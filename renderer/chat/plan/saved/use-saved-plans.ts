import { useEffect, useState } from 'react';
import type { Output } from '../../../../shared/contract.ts';
import { api } from '../../../api.ts';
import { useAppChanges } from '../../../state/app-changes.ts';

export type SavedPlanList = Output<'plans.saved'>;

/** Loads the saved plans of the game, again after each change. Null until they are there, and while they cannot be read. */
export function useSavedPlans(): SavedPlanList | null {
  const [list, setList] = useState<SavedPlanList | null>(null);
  const changes = useAppChanges(({ plans, project, connection }) => plans + project + connection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the list is the trigger
  useEffect(() => {
    let isStale = false;
    api.call('plans.saved', {}).then(
      (found) => !isStale && setList(found),
      () => !isStale && setList(null),
    );
    return () => {
      isStale = true;
    };
  }, [changes]);
  return list;
}
