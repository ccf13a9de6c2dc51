/**
 * The untyped interface between a page and the app. The preload and the web page each provide one; `renderer/api.ts`
 * adds the contract's types. Imports nothing, so that the preload stays a few hundred bytes.
 */
export interface Wire {
  /** Resolves to a `Reply`; rejects only when the app cannot be reached. */
  call(method: string, input: unknown): Promise<unknown>;
  /** Calls the listener for every event; returns a function that unsubscribes it. */
  on(listener: (event: string, payload: unknown) => void): () => void;
}

export const CALL_CHANNEL = 'app:call';
export const EVENT_CHANNEL = 'app:event';
/** Where the web page exchanges its launch token for a session. */
export const LAUNCH_PATH = '/launch';
/**
 * The key of `localStorage` under which the web page keeps its session. Storage is per origin, including the port: no page of another
 * local server can read it.
 */
export const SESSION_KEY = 'webgal-agent.session';
/** Channel on which the desktop's preload sends the path of a dropped folder. Not available to the page. */
export const DROP_CHANNEL = 'app:drop';
/** The property of `window` under which the preload exposes its `Wire`. */
export const WIRE_GLOBAL = 'appWire';
