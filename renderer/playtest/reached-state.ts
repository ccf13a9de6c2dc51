import type { PlaytestReport, Reached } from '../../shared/model/playtest/report.ts';

export type ReachedState = 'isReached' | 'isNotReached' | 'isNotReachedYet';

/** What a run says of an ending or a scene. One that ended early says nothing about what it did not reach. */
export function toReachedState({ route }: Pick<Reached, 'route'>, status: PlaytestReport['status']): ReachedState {
  if (route !== null) return 'isReached';
  return status === 'complete' ? 'isNotReached' : 'isNotReachedYet';
}
