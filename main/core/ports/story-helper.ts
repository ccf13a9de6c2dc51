import type { UsageTotal } from '../../../shared/model/cost/usage.ts';
import type { LocalText } from '../../../shared/model/local-text.ts';
import type { TurnAccount } from '../spending/turn-account.ts';

/** What an answer about the story rests on. */
export interface StoryAnswer {
  answer: string;
  /** `path:line` of each place that the answer names, as far as its file was read. */
  places: string[];
  /** Why the answer may not be complete; absent otherwise. */
  limit?: string;
}

/** A model that reads the game for one question, with a window of its own. */
export interface StoryHelper {
  /**
   * Answers a question from the texts of the game. Throws `E_IO` if the model fails, `E_POLICY_VIOLATION` at a cap of the user.
   * `signal` ends it; `report` receives each thing that it looks at, `spend` a function that returns what its requests used so far.
   */
  ask(
    question: string,
    options: {
      signal: AbortSignal;
      /** The id of the turn, for the audit log. */
      trace: string;
      /** What the turn used so far. */
      account: TurnAccount;
      report(text: LocalText): Promise<void>;
      spend(toSpent: () => UsageTotal): void;
    },
  ): Promise<StoryAnswer>;
}
