/**
 * The untyped seam between a page and the app. The preload and the web page each provide one; `renderer/api.ts` puts
 * the contract's types over it. Imports nothing, so that the preload stays a few hundred bytes.
 */
export interface Wire {
  /** Resolves to a `Reply`; rejects only when the app cannot be reached at all. */
  call(method: string, input: unknown): Promise<unknown>;
  /** Hears every event as `{ event, payload }`; returns the function that stops it. */
  on(listener: (event: string, payload: unknown) => void): () => void;
}

export const CALL_CHANNEL = 'app:call';
export const EVENT_CHANNEL = 'app:event';
/** Where the web page trades its launch token for a session. */
export const LAUNCH_PATH = '/launch';
/** The desktop's preload sends the place of a dropped folder here. The page has no part in it. */
export const DROP_CHANNEL = 'app:drop';
/** The property of `window` under which the preload exposes its `Wire`. */
export const WIRE_GLOBAL = 'appWire';
