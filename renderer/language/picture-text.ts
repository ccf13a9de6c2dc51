import { isPicture, toStageUrl } from '../project/file-kinds.ts';
import { stageStore } from '../stage/stage-store.ts';

/** Markdown that shows a picture of the game, at most this wide; empty when the file is none or nothing serves it. */
export function toPictureText(path: string, width = 200): string {
  const base = stageStore.getState().stage.url;
  if (base === null || !isPicture(path)) return '';
  // What `encodeURIComponent` leaves and Markdown would take for the end of the address.
  const url = toStageUrl(base, path).replaceAll('(', '%28').replaceAll(')', '%29');
  return `![](${url}|width=${width})`;
}
