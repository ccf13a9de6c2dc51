import type { PlaytestReport, Reached } from '../../shared/model/playtest/report.ts';

export type ReachedState = 'isReached' | 'isNotReached' | 'isNotReachedYet';

/** What a run says of an ending or a scene. One that ended early knows of what it did not reach only what the text alone proves. */
export function toReachedState(
  { place, route }: Reached,
  { status, findings }: Pick<PlaytestReport, 'status' | 'findings'>,
): ReachedState {
  if (route !== null) return 'isReached';
  const isProven = findings.some(
    (finding) =>
      finding.place.path === place.path &&
      (finding.code === 'unreachable-scene' ||
        (finding.code === 'unreachable-ending' && finding.place.line === place.line)),
  );
  return status === 'complete' || isProven ? 'isNotReached' : 'isNotReachedYet';
}
