/** One page with the engine that no one sees. */
export interface ScriptPage {
  /** Runs a script in the page and resolves to the value of its promise. The game may have forged it. */
  evaluate(script: string): Promise<unknown>;
  close(): Promise<void>;
}

/** How a host opens pages for playtests, isolated like the stage. Throws `E_UNSUPPORTED` (`browser.none`) where no browser is installed. */
export interface ScriptPages {
  open(url: string, signal: AbortSignal): Promise<ScriptPage>;
}
