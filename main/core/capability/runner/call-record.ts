import { AppError } from '../../../../shared/errors.ts';
import type { AuditDecision } from '../../../../shared/model/audit.ts';
import type { Caller } from '../../../../shared/model/capability/caller.ts';
import type { UsageTotal } from '../../../../shared/model/cost/usage.ts';
import type { ToolRunner } from '../../services.ts';
import type { Tool } from '../define-tool.ts';
import type { CallEffects } from './granted-ports.ts';

export type ToolCall = Parameters<ToolRunner['run']>[0];

/** Collects the audit data of a running call. */
export interface CallRecord {
  caller: Caller;
  permissions: Tool['permissions'];
  /** The parsed arguments; undefined before parsing. */
  input: unknown;
  decision: AuditDecision | null;
  /** What the call showed the caller: path → version; null: the file is gone. */
  seen?: Record<string, string | null>;
  /** Returns what its requests to a model used so far; undefined for a call without any. */
  toSpent?: () => UsageTotal;
  effects: CallEffects;
}

/** Returns the error of a call that ended early: stopped by the user, or at its timeout. `hasBegun`: its handler ran. */
export function toEnded(tool: Tool, stopped: AbortSignal, hasBegun = false): AppError {
  const unknown = 'It is not known what it did. Look at what is there before you call it again.';
  // What another program did meanwhile cannot be undone.
  const hint = hasBegun && tool.provider !== undefined ? unknown : null;
  return stopped.aborted
    ? new AppError('E_TIMEOUT', `${tool.name} was stopped before it had finished.`, {
        ...(hint !== null && { hint }),
        reason: 'tool.stopped',
      })
    : new AppError('E_TIMEOUT', `${tool.name} took longer than ${tool.timeout / 1000} seconds and was ended.`, {
        hint: hint ?? 'Try with less: a narrower folder, a simpler pattern, a smaller file.',
        reason: 'tool.timeout',
      });
}
