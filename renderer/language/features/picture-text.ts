import { isPicture, toStageUrl } from '../../state/project/file-kinds.ts';

/**
 * Returns Markdown that shows a picture of the game, at most `width` pixels wide; empty for other files and while no stage
 * serves files (`base`, its URL, is null).
 */
export function toPictureText(base: string | null, path: string, width = 200): string {
  if (base === null || !isPicture(path)) return '';
  // `encodeURIComponent` keeps parentheses, which would end the URL in Markdown.
  const url = toStageUrl(base, path).replaceAll('(', '%28').replaceAll(')', '%29');
  return `![](${url}|width=${width})`;
}
