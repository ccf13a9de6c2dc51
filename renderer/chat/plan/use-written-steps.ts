import { useEffect, useState } from 'react';
import type { ShownStep } from '../../../shared/model/plan/patch.ts';
import type { TransactionStatus } from '../../../shared/model/transactions/transaction.ts';
import type { RollbackConflict } from '../../../shared/model/transactions/transaction-page.ts';
import { api } from '../../api.ts';
import { useAppChanges } from '../../state/app-changes.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { keepTransaction, rollBackTransaction } from '../../workflows/restore/roll-back-transaction.ts';

/** A step that was written without review, and what became of it. */
export interface WrittenStep {
  id: string;
  title: string;
  /** Null: not known, because the change left the log or was not read yet. */
  status: TransactionStatus | null;
  /** Why it could not be undone. */
  conflicts: readonly RollbackConflict[];
}

export interface WrittenSteps {
  /** By step. */
  steps: ReadonlyMap<string, WrittenStep>;
  /** Those that wait for the user, in the order of the plan. */
  pending: readonly WrittenStep[];
  isBusy: boolean;
  keep(steps: readonly WrittenStep[]): void;
  /** Undoes the newest first, because a later step may build on an earlier one. */
  undo(steps: readonly WrittenStep[]): void;
}

/** Follows what became of the steps of a plan that were written without review. */
export function useWrittenSteps(steps: readonly ShownStep[]): WrittenSteps {
  const states = useStates(steps.flatMap(({ transaction }) => transaction ?? []));
  const [conflicts, setConflicts] = useState<ReadonlyMap<string, readonly RollbackConflict[]>>(new Map());
  const [isBusy, run] = useBusy();
  const written = new Map<string, WrittenStep>();
  for (const { step_id: step, summary: title, transaction: id } of steps) {
    if (id === null) continue;
    written.set(step, { id, title, status: states.get(id) ?? null, conflicts: conflicts.get(id) ?? [] });
  }
  return {
    steps: written,
    pending: [...written.values()].filter(({ status }) => status === 'pending'),
    isBusy,
    keep: (chosen) =>
      void run(async () => {
        for (const { id } of chosen) await keepTransaction(id);
      }),
    undo: (chosen) =>
      void run(async () => {
        for (const step of chosen.toReversed()) {
          const found = await rollBackTransaction(step);
          setConflicts((before) => new Map([...before, [step.id, found]]));
        }
      }),
  };
}

function useStates(ids: readonly string[]): ReadonlyMap<string, TransactionStatus> {
  const [states, setStates] = useState<ReadonlyMap<string, TransactionStatus>>(new Map());
  const changes = useAppChanges(({ transactions, connection }) => transactions + connection);
  const key = ids.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the log is the trigger
  useEffect(() => {
    if (key === '') return;
    let isStale = false;
    api.call('transactions.states', { ids: key.split(' ') }).then(
      (found) => !isStale && setStates(new Map(Object.entries(found.states))),
      // The card stays without buttons; the history offers the same.
      () => undefined,
    );
    return () => {
      isStale = true;
    };
  }, [key, changes]);
  return states;
}
