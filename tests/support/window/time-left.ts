/**
 * The variable with the time (milliseconds since 1970) after which the window runs only what no browser can show. A machine of CI
 * may be half as fast as another, and a run that does not end has no result.
 */
export const DEADLINE_VARIABLE = 'WEBGAL_AGENT_WINDOW_DEADLINE';

/** How long after the deadline any other story may start, in milliseconds. */
export const LAST_MS = 15 * 60_000;

/** Why a story was left out. */
export const LEFT_OUT = 'no time is left for it';
