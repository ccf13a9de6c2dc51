/** The state of the browser's page. */
export interface PageView {
  url: string;
  title: string;
  /** Logged errors, uncaught exceptions and blocked addresses since the last call. */
  problems: string[];
}

/**
 * A headless browser restricted to loopback addresses. Started at the first `open` (`E_UNSUPPORTED` if none is installed),
 * closed with the host or after a period without calls.
 */
export interface LocalBrowser {
  /** The timeout of one action, in milliseconds. */
  timeout: number;
  /** Throws `E_POLICY_VIOLATION` for any other address, `E_PREVIEW_FAIL` if no server answers, `E_TIMEOUT`. */
  open(url: string, signal: AbortSignal): Promise<PageView>;
  /** Throws `E_BAD_ARGS` without an open page or for an invalid selector, `E_TIMEOUT` if no match can be clicked. */
  click(selector: string, signal: AbortSignal): Promise<PageView>;
  /** Saves a screenshot in `.webgal_agent/screenshots` and returns its path. `name` is a file name ending in .png. */
  screenshot(name: string, signal: AbortSignal): Promise<{ path: string }>;
  close(): Promise<void>;
}
