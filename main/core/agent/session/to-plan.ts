export interface ParsedPlan {
  /** The text around the steps. */
  text: string;
  steps: string[];
}

/** `1. …`, `2）…`, `(3) …`, `步骤 4：…`, `**Step 5:** …`, also behind a heading mark. Language data: how steps are named. */
const STEP =
  /^\s{0,3}(?:#{1,4}\s{0,3})?(?:\*\*)?\s{0,3}(?:(?:步骤|第|step)\s*)?[(（]?(\d{1,2})(?:\s*步)?\s*(?:[.、)）:：]|\*\*[.:：])\s*(.+)$/i;
const DETAIL = /^\s+\S|^\s*[-•·*+]\s/;

/**
 * Parses numbered steps from a text. Only a sequence 1, 2, 3… counts, so that a date or a score does not start a plan. Indented
 * or bulleted lines under a step belong to it.
 */
export function toPlan(source: string): ParsedPlan {
  const steps: string[] = [];
  const around: string[] = [];
  let inStep = false;
  for (const line of source.split(/\r?\n/)) {
    const match = STEP.exec(line);
    if (match?.[2] !== undefined && Number(match[1]) === steps.length + 1) {
      steps.push(match[2].replace(/\*\*/g, '').trim());
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
