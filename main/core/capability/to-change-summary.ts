import type { ChangeSummary } from '../../../shared/model/change-summary.ts';
import { isLineEndingsOnly } from '../../../shared/text/shown-lines.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { countLines, toLineDiff } from '../text/line-diff.ts';

/** A text before and after a call; null for no file. */
export interface PlannedText {
  path: string;
  before: string | null;
  after: string | null;
}

const MAX_LINES = 60;
const MAX_CHARACTERS = 240;
/** Longer runs of empty lines are replaced by their number. */
const MAX_EMPTY_LINES = 3;
const SPACES = /[ \t\u3000]{41,}/g;

/** Returns a bounded summary: the first changed lines of all texts and the number of further ones. */
export function toChangeSummary(planned: readonly PlannedText[]): ChangeSummary {
  let left = MAX_LINES;
  let more = 0;
  const files = planned.map(({ path, before, after }) => {
    if (isLineEndingsOnly(before, after))
      return { path, kind: 'lineEndings' as const, added: 0, removed: 0, lines: [] };
    const { hunks } = toLineDiff(before, after);
    const lines: string[] = [];
    for (const { startNew, linesOld, linesNew } of hunks) {
      const changed = [...toShortLines('-', linesOld), ...toShortLines('+', linesNew)];
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

/** Formats changed lines; runs of empty lines become a number, so that later lines stay visible. */
function toShortLines(mark: '+' | '-', lines: readonly string[]): string[] {
  const shown: string[] = [];
  let empty = 0;
  const tellEmpty = () => {
    if (empty > MAX_EMPTY_LINES) shown.push(`${mark}⟦${empty} × ␤⟧`);
    else for (let count = 0; count < empty; count += 1) shown.push(mark);
    empty = 0;
  };
  for (const line of lines) {
    const text = line.trimEnd();
    if (text === '') {
      empty += 1;
      continue;
    }
    tellEmpty();
    shown.push(mark + toShort(text));
  }
  tellEmpty();
  return shown;
}

function toShort(text: string): string {
  const folded = text.replace(SPACES, (run) => `⟦${run.length} × ␠⟧`);
  return toSpelled(folded.length > MAX_CHARACTERS ? `${folded.slice(0, MAX_CHARACTERS)}…` : folded);
}
