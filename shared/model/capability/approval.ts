import { z } from 'zod';
import { ErrorData } from '../../errors.ts';
import { ChangeSummary } from '../change-summary.ts';
import { Claim, Declaration } from '../external/declaration.ts';
import { LocalText } from '../local-text.ts';
import { Caller } from './caller.ts';
import { RiskLevel } from './risk-matrix.ts';

/**
 * `waiting`: the user was not asked yet. `approved`: the user agreed, and the call did not start. `running`: it started.
 * `interrupted`: the program ended while it ran; what it did is not known, and it is not repeated.
 */
const APPROVAL_STATES = [
  'waiting',
  'approved',
  'running',
  'done',
  'failed',
  'rejected',
  'expired',
  'interrupted',
] as const;

/** A call that needs the user's word and was made while no one could be asked. */
export const PendingApproval = z.object({
  id: z.uuid(),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  expiresAt: z.number(),
  caller: Caller,
  /** The way that it came, as the app knows it. Names of callers are their own claims, and count within one way only. */
  from: z.enum(['api', 'mcp']).default('api'),
  capability: z.string().max(160),
  version: z.string().max(40),
  tool: z.string().max(100),
  risk: RiskLevel,
  title: LocalText,
  summary: LocalText,
  paths: z.array(z.string().max(4096)).max(1000),
  /** The exact text that the call would run or send, and what it would change in texts. */
  detail: z.string().optional(),
  change: ChangeSummary.optional(),
  /** What another program says that its tool does. */
  claims: z.array(Claim).optional(),
  state: z.enum(APPROVAL_STATES),
  /** How often the user has to agree, and has agreed. */
  questions: z.int().min(1).max(2),
  agreed: z.int().min(0).max(2),
  answeredAt: z.number().nullable(),
  error: ErrorData.nullable(),
});
export type PendingApproval = z.infer<typeof PendingApproval>;

/** The same as it is stored, with what is needed to carry out the call. */
export const StoredApproval = PendingApproval.extend({
  trace: z.string().max(4096),
  /** What another program declared of the capability then; the user's word holds for exactly that. */
  declaration: Declaration.optional(),
  input: z.unknown(),
  /** The result for the caller; absent where it is too large. */
  result: z.unknown().optional(),
});
export type StoredApproval = z.infer<typeof StoredApproval>;
