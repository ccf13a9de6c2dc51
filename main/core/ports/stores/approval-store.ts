/**
 * The calls of one game that wait for the user, in the app's data folder, signed by this installation. Several programs may have
 * the game open; all of them see the same list.
 */
export interface ApprovalStore {
  /** Bytes of what is stored, as JSON in UTF-8, up to which calls are taken; there is some room beyond for their outcomes. */
  readonly maxBytes: number;
  /** Returns what is stored; nothing of a file that this installation did not write. Throws `E_IO`. */
  read(): Promise<unknown[]>;
  /**
   * Replaces what is stored by `next`, while no other program can read or change it; null changes nothing. Resolves when it is on
   * disk. Throws `E_IO`, `E_CONFLICT` if another program does not let go, `E_TOO_LARGE` for more than could be read again, or what `work`
   * throws.
   */
  change<T>(work: (stored: unknown[]) => { next: unknown[] | null; result: T }): Promise<T>;
  /** Claims the execution of one of them until `release`. False while a program that is alive has it. */
  claim(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
  /** Calls `listener` soon after what is stored changed, by this or another program, until the returned function is called. */
  watch(listener: () => void): () => void;
}
