import { isPicture, toStageUrl } from '../project/file-kinds.ts';

/**
 * Markdown that shows a picture of the game, at most this wide; empty when the file is none or nothing serves it (`base`,
 * where the stage does, is null).
 */
export function toPictureText(base: string | null, path: string, width = 200): string {
  if (base === null || !isPicture(path)) return '';
  // What `encodeURIComponent` leaves and Markdown would take for the end of the address.
  const url = toStageUrl(base, path).replaceAll('(', '%28').replaceAll(')', '%29');
  return `![](${url}|width=${width})`;
}
