import { STAGE_WINDOW_READY } from './stage-window-state.ts';

/**
 * Returns the port that the stage's own window offers; null for any other message. Games and other pages can send messages to this one:
 * only the page of `opened`, at the app's own origin, is answered.
 */
export function toPort<P>(
  { source, origin, data, ports }: { source: unknown; origin: string; data: unknown; ports: readonly P[] },
  opened: unknown,
  own: string,
): P | null {
  const isOwn = source === opened && origin === own && data === STAGE_WINDOW_READY;
  return isOwn ? (ports[0] ?? null) : null;
}
