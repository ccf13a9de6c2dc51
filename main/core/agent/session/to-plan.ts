export interface ParsedPlan {
  /** The text around the steps. */
  text: string;
  steps: string[];
}

/**
 * `1. …`, `2）…`, `(3) …`, `步骤 4：…`, `**Step 5:** …`, `第一步：…`, `二、…`, also behind a heading mark. Language data: how steps are
 * named.
 */
const STEP =
  /^(\s{0,3})(?:#{1,4}\s{0,3})?(?:\*\*)?\s{0,3}(?:(?:步骤|第|step)\s*)?[(（]?(\d{1,3}|[一二三四五六七八九十]{1,3})(?:\s*步)?\s*(?:[.．、)）:：]|\*\*[.:：])\s*(.+)$/i;
const DETAIL = /^\s+\S|^\s*[-•·*+]\s/;

/**
 * Parses numbered steps from a text. Only a sequence 1, 2, 3… counts, so that a date or a score does not start a plan. Indented
 * or bulleted lines under a step belong to it.
 */
export function toPlan(source: string): ParsedPlan {
  const steps: string[] = [];
  const around: string[] = [];
  let inStep = false;
  /** Characters before the first step. */
  let margin = 0;
  for (const line of source.split(/\r?\n/)) {
    const [, indent = '', mark = '', said] = STEP.exec(toDigits(line)) ?? [];
    // A list within a step is indented.
    const isWithin = inStep && indent.length > margin;
    if (said !== undefined && !isWithin && toNumber(mark) === steps.length + 1) {
      if (steps.length === 0) margin = indent.length;
      steps.push(said.replace(/\*\*/g, '').trim());
      inStep = true;
    } else if (inStep && DETAIL.test(line)) {
      steps[steps.length - 1] += `\n${line.trim()}`;
    } else {
      if (line.trim() !== '') inStep = false;
      around.push(line);
    }
  }
  return {
    text: around
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    steps,
  };
}

/** Writes full-width digits at the beginning of a line as plain ones. */
function toDigits(line: string): string {
  return line.replace(/^\s{0,3}[(（]?[０-９]{1,3}/, (mark) => mark.normalize('NFKC'));
}

// Language data: the numerals from one to ten.
const NUMERALS = '一二三四五六七八九十';

/** Reads `12`, `十二` or `二十`; NaN for what is no number. */
function toNumber(mark: string): number {
  if (/^\d/.test(mark)) return Number(mark);
  const digits = [...mark].map((numeral) => NUMERALS.indexOf(numeral) + 1);
  const ten = digits.indexOf(10);
  if (ten < 0) return digits.length === 1 ? (digits[0] ?? Number.NaN) : Number.NaN;
  const [tens = 1, ones = 0] = [digits[ten - 1], digits[ten + 1]];
  return digits.length > 3 ? Number.NaN : tens * 10 + ones;
}
