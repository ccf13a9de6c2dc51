import type { ChangeSummary } from '../../../../shared/model/change-summary.ts';
import type { Claim, Declaration } from '../../../../shared/model/external/declaration.ts';
import type { LocalText } from '../../../../shared/model/local-text.ts';
import type { PolicyDecision } from '../policy/policy.ts';

/** A question to the user about a call. */
export interface ConfirmQuestion {
  tool: string;
  title: LocalText;
  summary: LocalText;
  scope: Extract<PolicyDecision, { effect: 'REQUIRE_CONFIRMATION' }>['scope'];
  /** The exact text that the call would run, if the tool has `detail`. */
  detail?: string;
  /** The texts that the call would change, if the tool has `plan`. */
  change?: ChangeSummary;
  /** What another program declares of the tool; an *always* holds for exactly that. */
  declaration?: Declaration;
  /** What that program says of itself, which the app cannot check. */
  claims?: readonly Claim[];
  /** Why it needs the user's word, as issues of a validation. */
  issues?: readonly string[];
  signal: AbortSignal;
}

/**
 * Asks whether a call may run. A rejection counts as no; one with `E_CONFLICT` refuses the call with that error: the user agreed, but to
 * something else.
 */
export type Confirm = (question: ConfirmQuestion) => Promise<boolean>;
