/** Far more within a second than any engine writes: about 60 lines of 9,000 characters while it starts. */
const MAX_LINES = 5_000;
const MAX_CHARACTERS = 8 * 1024 * 1024;
const WINDOW_MS = 1_000;

/**
 * Returns a function that is called with the time of each line that a page writes to its console, in milliseconds, and its length, and
 * returns true once there are too many within a second.
 */
export function createConsoleLimit(): (time: number, characters: number) => boolean {
  let lines = 0;
  let sum = 0;
  let since = Number.NEGATIVE_INFINITY;
  return (time, characters) => {
    if (time - since > WINDOW_MS) {
      since = time;
      lines = 0;
      sum = 0;
    }
    lines += 1;
    sum += characters;
    return lines > MAX_LINES || sum > MAX_CHARACTERS;
  };
}
