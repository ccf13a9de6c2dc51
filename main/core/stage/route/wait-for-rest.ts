import { delay } from '../../../../shared/async.ts';
import type { DriverReply, EngineState, StageDriver } from '../../ports/stage-driver.ts';

const LOOK_MS = 200;
/** Equal looks after which the story rests; a scene that still loads changes nothing until it is there. */
const LOOKS = { busy: 2, loading: 8 } as const;
/** A story that moves for longer is played on as it is. */
const MAX_REST_MS = 10_000;

/**
 * After an order whose result the page could not say in time, waits until the story rests: the next order would click past the line to
 * which it comes. Returns the reply with what is shown then; any other reply as it is.
 */
export async function waitForRest(
  { readState }: Pick<StageDriver, 'readState'>,
  reply: DriverReply,
  isOver: () => boolean,
): Promise<DriverReply> {
  if (reply.done || !reply.state || (reply.reason !== 'busy' && reply.reason !== 'loading')) return reply;
  const { reason } = reply;
  const end = performance.now() + MAX_REST_MS;
  let { state } = reply;
  for (let equal = 0; equal < LOOKS[reason] && performance.now() < end && !isOver(); ) {
    await delay(LOOK_MS);
    const next = await readState();
    if (!next.state) {
      if (!next.done && next.reason === 'closed') return next;
      continue;
    }
    equal = toStateKey(next.state) === toStateKey(state) ? equal + 1 : 0;
    ({ state } = next);
  }
  return { done: false, reason, state };
}

/** What changes when the story moves. */
export function toStateKey({ scene, file, line, choices, hasInput, isOnTitle }: EngineState): string {
  return JSON.stringify([scene, file, line, choices, hasInput, isOnTitle]);
}
