/** A stored plan. */
export interface StoredPlan {
  id: string;
  at: number;
  /** Null: it cannot be read. */
  content: unknown;
  /** Not written by this installation, or changed since: must not be acted upon. */
  isForeign: boolean;
}

/** The files of saved plans in a game. Ids are those of plans. */
export interface SavedPlanFiles {
  /** Returns the plans, newest first. `leftOut`: files that cannot be read, or are too large or too many. */
  list(): Promise<{ plans: StoredPlan[]; leftOut: number }>;
  /** Returns null if there is none. */
  read(id: string): Promise<StoredPlan | null>;
  /** Stores a plan and discards the oldest ones above the bound. Throws `E_IO`, and `E_TOO_LARGE`. */
  write(id: string, content: unknown): Promise<void>;
  /** Puts a plan aside for 30 days. Does nothing if there is none. */
  discard(id: string): Promise<void>;
  /** Brings a discarded plan back, unless it was stored again since. Throws `E_NOT_FOUND`. */
  restore(id: string): Promise<void>;
}
