import type { LineRecord } from '../syntax/analyze-line.ts';

/** Range of lines that folds, 1-based, both ends inclusive. */
export interface FoldingRange {
  start: number;
  end: number;
  kind: 'label' | 'comment';
}

/** A label folds down to the last non-empty line before the next label; consecutive comment lines fold, too. */
export function foldScene(records: readonly LineRecord[]): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  let label = -1;
  let comment = -1;
  let lastFilled = -1;
  const close = (start: number, end: number, kind: FoldingRange['kind']) => {
    if (start >= 0 && end > start) ranges.push({ start: start + 1, end: end + 1, kind });
  };
  for (const [line, record] of records.entries()) {
    const isComment = record.command === null && record.text !== '';
    if (isComment && comment < 0) comment = line;
    if (!isComment && comment >= 0) {
      close(comment, line - 1, 'comment');
      comment = -1;
    }
    if (record.command?.name === 'label') {
      close(label, lastFilled, 'label');
      label = line;
    }
    if (record.text !== '') lastFilled = line;
  }
  close(comment, records.length - 1, 'comment');
  close(label, lastFilled, 'label');
  return ranges.sort((one, other) => one.start - other.start);
}
