import type { RiskLevel } from '../../../../shared/model/capability/risk-matrix.ts';
import type { RiskStore } from '../../ports/stores/risk-store.ts';

export interface KnownRisksOptions {
  /** Keeps what a capability declared at its worst; without it a later start of the app does not know. */
  store?: RiskStore;
  onFault?: (fault: { where: string; error: unknown }) => void;
}

/** The highest risk of each capability of other programs so far, also in earlier starts of the app. */
export interface KnownRisks {
  /** By id; written where the capabilities are made, after `loaded`. */
  risks: Map<string, RiskLevel>;
  /** Resolves when what is stored is in `risks`. */
  loaded: Promise<void>;
  /** Stores what was raised since. */
  keep(): void;
}

export function createKnownRisks({ store, onFault }: KnownRisksOptions): KnownRisks {
  const risks = new Map<string, RiskLevel>();
  const kept = new Map<string, RiskLevel>();
  return {
    risks,
    loaded: Promise.resolve(store?.read()).then((stored) => {
      for (const [id, risk] of stored ?? []) {
        kept.set(id, risk);
        risks.set(id, risk);
      }
    }),
    keep() {
      if (store === undefined) return;
      // A capability of another program has at least a medium risk.
      const raised = new Map([...risks].filter(([id, risk]) => risk !== 'medium' && kept.get(id) !== risk));
      if (raised.size === 0) return;
      for (const [id, risk] of raised) kept.set(id, risk);
      store.raise(raised).catch((error: unknown) => onFault?.({ where: 'risks of capabilities', error }));
    },
  };
}
