import { toVisible } from '../../../shared/text/shown-text.ts';

/** Returns the file name for a tab: without the scene folder, and with bidirectional control characters made visible. */
export function fileName(path: string): string {
  return toVisible(path.replace(/^game\/(scene\/)?/, ''));
}
