import { delay } from '../../../../shared/async.ts';
import type { StageFailure } from '../../../../shared/model/stage.ts';
import type { DriverReply } from '../../ports/stage-driver.ts';
import { toStateKey } from './wait-for-rest.ts';

/** A busy page answers one of several orders. */
const MAX_SILENT = 5;
/** Longer than a pause or a slow picture; a film that lasts longer is ended by the player. */
const MAX_STILL_MS = 30_000;
/** A page that has just loaded; an engine that never says where it is cannot be driven. */
const MAX_STARTING_MS = 10_000;
const START_PAUSE_MS = 100;
/** Where the next order may succeed though nothing is done about this one. */
const PASSING: ReadonlySet<StageFailure> = new Set(['waits', 'loading', 'busy']);

/**
 * Returns a function that says of every reply, in their order, whether another order may bring the story on: it moved, or what holds
 * it may pass. A page is asked five more times while it is silent, an engine may start for ten seconds, and a story may stand still
 * for half a minute.
 */
export function createPatience(now: () => number = () => performance.now()): (reply: DriverReply) => Promise<boolean> {
  let silent = 0;
  const places = new Set<string>();
  let movedAt = now();
  return async (reply) => {
    const { state } = reply;
    if (!reply.done && reply.reason === 'not-ready') {
      if (now() - movedAt >= MAX_STARTING_MS) return false;
      await delay(START_PAUSE_MS);
      return true;
    }
    if (!state) {
      silent += 1;
      return !reply.done && reply.reason === 'no-answer' && silent <= MAX_SILENT;
    }
    silent = 0;
    // A story that goes round in a circle comes to no other place.
    const place = toStateKey(state);
    if (reply.done || !places.has(place)) movedAt = now();
    places.add(place);
    return reply.done || (PASSING.has(reply.reason) && now() - movedAt < MAX_STILL_MS);
  };
}
