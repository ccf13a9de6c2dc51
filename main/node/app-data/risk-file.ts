import { z } from 'zod';
import { RiskLevel, toStricterRisk } from '../../../shared/model/capability/risk-matrix.ts';
import type { RiskStore } from '../../core/ports/stores/risk-store.ts';
import { createPrivateJson } from '../files/private-json.ts';

/** More are not stored, so that a program that offers ever new ids cannot remove what is known of others. */
const MAX_RISKS = 20_000;

type Risks = ReadonlyMap<string, RiskLevel>;

/** Creates the store in the app's own folder, which no program that connects can write. */
export function createRiskStore(dataFolder: string): RiskStore {
  const file = createPrivateJson(dataFolder, 'provider-risks.json', parse);
  return {
    // Without it, the declarations of the programs still count.
    read: () => file.read().catch((): Risks => new Map()),
    raise: (risks) => file.change((stored) => Object.fromEntries(toRaised(stored, risks))),
  };
}

function toRaised(stored: Risks, risks: Risks): Risks {
  const next = new Map(stored);
  for (const [id, risk] of risks) {
    const before = next.get(id);
    if (before === undefined && next.size >= MAX_RISKS) continue;
    next.set(id, before === undefined ? risk : toStricterRisk(before, risk));
  }
  return next;
}

function parse(stored: unknown): Risks {
  return new Map(
    Object.entries(z.record(z.string(), z.unknown()).parse(stored ?? {})).flatMap(([id, value]) => {
      const risk = RiskLevel.safeParse(value);
      return risk.success ? [[id, risk.data]] : [];
    }),
  );
}
