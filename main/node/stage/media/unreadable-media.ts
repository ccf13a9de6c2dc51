import { isReportedFile } from '../link/engine-noise.ts';
import type { MediaFault } from './media-fault.ts';

/** More empty files are not kept until a whole one comes. */
const MAX_EMPTY = 50;

/**
 * Reports pictures, sounds and films that no browser can read. Empty ones only where another one is whole: a game that has none is a
 * copy for its text.
 */
export function createUnreadableMedia(report: (path: string) => void): {
  add(path: string, fault: MediaFault | null): void;
} {
  const empty = new Set<string>();
  let isAnyWhole = false;
  return {
    add(path, fault) {
      if (!isReportedFile(path)) return;
      if (fault === 'damaged' || (fault === 'empty' && isAnyWhole)) report(path);
      else if (fault === 'empty') {
        if (empty.size < MAX_EMPTY) empty.add(path);
      } else {
        isAnyWhole = true;
        for (const kept of empty) report(kept);
        empty.clear();
      }
    },
  };
}
