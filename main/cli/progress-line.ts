import type { WriteStream } from 'node:tty';

/** Minimum time between two lines that replace each other, and between two that stay. */
const REWRITE_MS = 100;
const LINE_MS = 10_000;

/** Where the line is written. */
export type ProgressOutput = Pick<WriteStream, 'write'> & {
  on?(event: 'error', listener: () => void): unknown;
  isTTY?: boolean;
  columns?: number;
};

export interface ProgressLine {
  show(words: string): void;
  /** Removes a line that can be replaced. */
  clear(): void;
}

/**
 * Shows how far a long command is: on a terminal in one line that is rewritten, elsewhere in a line every ten seconds. The words
 * must not contain what a game wrote.
 */
export function createProgressLine(output: ProgressOutput, now: () => number = () => performance.now()): ProgressLine {
  // Its reader may be gone; without a listener the failed write would end the command halfway.
  output.on?.('error', () => undefined);
  const isTerminal = output.isTTY === true;
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : now();
  let isShown = false;
  return {
    show(words) {
      if (now() - shownAt < (isTerminal ? REWRITE_MS : LINE_MS)) return;
      shownAt = now();
      isShown = isTerminal;
      // A longer line would wrap, and only its last row would be replaced. Chinese letters are two columns wide.
      const most = Math.max(10, Math.floor(((output.columns || 80) - 1) / 2));
      const short = isTerminal && isWide(words) ? words.slice(0, most) : words.slice(0, 2 * most);
      output.write(isTerminal ? `\r\u001b[K${short}` : `${words}\n`);
    },
    clear() {
      if (isShown) output.write('\r\u001b[K');
      isShown = false;
    },
  };
}

const isWide = (words: string): boolean => /[\u2e80-\uffef]/.test(words);
