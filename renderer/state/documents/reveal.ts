/** How a position is revealed. */
export interface RevealPlace {
  /** Default: 1. */
  column?: number;
  /** How many characters are selected, from the column on. */
  length?: number;
  /** The last line of a selection that begins at the line. */
  endLine?: number;
  /** True if the focus stays where the user has it. */
  keepsFocus?: boolean;
}

/** A position to reveal; `count` distinguishes repeated requests for the same position. */
export interface Reveal extends RevealPlace {
  path: string;
  line: number;
  column: number;
  count: number;
}

export function countReveal(before: Reveal | null, place: RevealPlace & { path: string; line: number }): Reveal {
  const { path, line, column = 1, length, endLine, keepsFocus } = place;
  const count = (before?.count ?? 0) + 1;
  return {
    path,
    line,
    column,
    count,
    ...(length && { length }),
    ...(endLine && { endLine }),
    ...(keepsFocus && { keepsFocus }),
  };
}
