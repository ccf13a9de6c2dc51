import type { PlaytestPlace } from '../../shared/model/playtest/picks.ts';
import type { PlaytestResult } from '../../shared/model/playtest/playtest-state.ts';
import { openPlace } from '../workflows/open-place.ts';
import { showFile } from '../workflows/show-file.ts';

/** Opens the line of a report: in the review where the proposal was played, else in the editor. */
export function showPlace({ path, line }: PlaytestPlace, { request }: Pick<PlaytestResult, 'request'>): void {
  if (request.source === 'proposed') void openPlace(path, line > 0 ? line : null);
  else showFile(path, line > 0 ? line : undefined);
}
