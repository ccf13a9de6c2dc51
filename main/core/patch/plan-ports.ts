import type { PlanStep } from '../../../shared/model/plan/patch.ts';
import type { Tool } from '../capability/define-tool.ts';
import type { PolicySource } from '../capability/policy/policy-source.ts';
import type { Ports } from '../ports/ports.ts';
import type { Reader } from '../ports/reader.ts';
import type { SavedPlanFiles } from '../ports/stores/saved-plan-files.ts';
import type { GameEngine, Workspace } from '../ports/workspace.ts';
import type { Buffers } from '../services.ts';
import { type AutoRun, createAutoRun } from './auto-run.ts';
import { createDryRun, type DryRun } from './dry-run.ts';
import type { GuardedWriter } from './guard-writer.ts';
import { validatePlan } from './validate-plan.ts';

/** What plans of a conversation need of the game. */
export interface PlanPorts {
  /** Validates steps of a plan on the game with the drafts over it. */
  validateSteps(steps: readonly PlanStep[]): Promise<PlanStep[]>;
  /** What steps of a plan may be written without review. Absent: none. */
  autoRun?: AutoRun;
  /** Checks plans without touching anything. Absent: every plan is carried out. */
  dryRun?: DryRun;
  /** Plans that could not run as they were. Absent: none is kept. */
  files?: SavedPlanFiles;
}

export interface PlanPortsOptions {
  workspace: Pick<Workspace, 'reader' | 'transactions' | 'findUnwritable' | 'savedPlans'>;
  /** The disk with the drafts over it. */
  drafts: Reader;
  ports: Pick<Ports, 'settings'>;
  tools: readonly Tool[];
  policy: PolicySource;
  buffers: Pick<Buffers, 'all'>;
  engine: GameEngine;
  writer: Pick<GuardedWriter, 'unasked'>;
}

export function createPlanPorts(options: PlanPortsOptions): PlanPorts {
  const { workspace, drafts, ports, engine } = options;
  const { reader, transactions } = workspace;
  const readSettings = () => ports.settings.read();
  return {
    validateSteps: (steps) => validatePlan(steps, { reader: drafts, engine }),
    autoRun: createAutoRun({
      ...options,
      reader,
      transactions,
      settings: readSettings,
      unasked: options.writer.unasked,
    }),
    dryRun: createDryRun({ settings: readSettings, workspace, drafts }),
    files: workspace.savedPlans,
  };
}
