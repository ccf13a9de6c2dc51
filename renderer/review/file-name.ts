import { toVisible } from '../../shared/model/shown-text.ts';

/** How a file is called on a tab: without the folders every scene lies in, and with nothing that turns it around. */
export function fileName(path: string): string {
  return toVisible(path.replace(/^game\/(scene\/)?/, ''));
}
