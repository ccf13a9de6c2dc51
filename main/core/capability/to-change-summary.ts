import type { ChangeSummary } from '../../../shared/model/change-summary.ts';
import { toVisible } from '../../../shared/model/shown-text.ts';
import { countLines, toLineDiff } from '../proposal/line-diff.ts';

/** A text as it is and as a call would leave it; null for none. */
export interface PlannedText {
  path: string;
  before: string | null;
  after: string | null;
}

const MOST_LINES = 60;
const MOST_CHARACTERS = 240;

/** The planned texts as changes to read: the first lines of all of them, and how many more there are. */
export function toChangeSummary(planned: readonly PlannedText[]): ChangeSummary {
  let left = MOST_LINES;
  let more = 0;
  const files = planned.map(({ path, before, after }) => {
    const { hunks } = toLineDiff(before, after);
    const lines: string[] = [];
    for (const { startNew, linesOld, linesNew } of hunks) {
      const changed = [...linesOld.map((line) => `-${toShort(line)}`), ...linesNew.map((line) => `+${toShort(line)}`)];
      const shown = changed.slice(0, left);
      if (shown.length > 0 && before !== null && after !== null) lines.push(`@${startNew}`);
      lines.push(...shown);
      left -= shown.length;
      more += changed.length - shown.length;
    }
    const kind = before === null ? 'new' : after === null ? 'removed' : 'changed';
    return { path, kind, ...countLines(hunks), lines } as const;
  });
  return { files, more };
}

function toShort(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return toVisible(short);
}
