import type { AppError } from '../../../../shared/errors.ts';
import type { Caller } from '../../../../shared/model/capability/caller.ts';
import type { Roles } from '../../../../shared/model/capability/role.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import type { Clock } from '../../ports/host.ts';
import type { GameEngine } from '../../ports/workspace.ts';
import type { Audit } from '../audit/audit.ts';
import type { ToolSource } from '../catalog/capability-set.ts';
import type { Tool, ToolPorts } from '../define-tool.ts';
import type { PolicyProject, PolicySettings } from '../policy/policy.ts';
import type { Confirm, ConfirmQuestion } from './confirm.ts';

/** A call that needs a question. `input` is as the caller sent it. */
export interface Postponed {
  call: { caller: Caller; trace: string };
  tool: Pick<Tool, 'capability' | 'version' | 'name' | 'title' | 'risk'>;
  input: unknown;
  question: ConfirmQuestion;
}

export interface ToolRunnerOptions {
  /** A source may change at any time; what the model is offered follows with `renew`. */
  tools: readonly Tool[] | ToolSource;
  /** The ports of this host. A tool that needs another one is neither listed nor run. */
  ports: Partial<ToolPorts>;
  audit: Audit;
  /** Who calls where a call does not say so; read for each call, because the user can change its role. */
  caller: () => Caller;
  /** Read for each call, because everything in it can change. */
  policy: () => {
    project: PolicyProject;
    settings: PolicySettings;
    roles?: Pick<Roles, 'providers'>;
    maxReadBytes?: number | null;
  };
  /** Updates the result of `policy` before each call. If it rejects, the call does not run. */
  refresh?: () => Promise<void>;
  /** Absent where questions are impossible or each call supplies its own; then a required question denies the call. */
  confirm?: Confirm;
  /**
   * Where no one can be asked now: stores a call that needs a question, and returns the error that its caller receives. Then a
   * question does not deny the call for good.
   */
  postpone?: (call: Postponed) => Promise<AppError>;
  /** The same for a call that would be refused because no one can be asked; what runs without a question then still does. */
  postponeRefused?: (call: Postponed) => Promise<AppError>;
  /** True when each call supplies `confirm`. */
  canAsk?: boolean;
  /** True where callers are programs: arguments are not normalised. */
  isStrict?: boolean;
  locale: () => Locale;
  /** Reads the engine of the open game, on first use. */
  engine?: () => Promise<GameEngine>;
  clock: Clock;
  /** Receives failures of the audit log and internal errors with their cause. */
  onFault?: (fault: { tool: string; error: unknown }) => void;
}
