import type { RiskLevel } from '../../../../shared/model/capability/risk-matrix.ts';

/** The highest risk that capabilities of other programs ever had, by id, as far as it is above the usual one. */
export interface RiskStore {
  /** Empty if nothing is stored, or nothing readable. */
  read(): Promise<ReadonlyMap<string, RiskLevel>>;
  /** Raises what is stored; nothing falls, also with several windows. Throws `AppError` (`E_IO`). */
  raise(risks: ReadonlyMap<string, RiskLevel>): Promise<void>;
}
