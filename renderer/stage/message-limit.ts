/** The stage sends one message for each page that it loads. */
const MAX_MESSAGES = 50;
const WINDOW_MS = 10_000;

/**
 * Returns a function that is called with the time of each message, in milliseconds, and returns true once there are too many
 * within ten seconds. Browsers queue messages of another process without limit: one that sends them without end would
 * fill the memory of the page and keep it busy.
 */
export function createMessageLimit(): (time: number) => boolean {
  let count = 0;
  let since = Number.NEGATIVE_INFINITY;
  return (time) => {
    if (time - since > WINDOW_MS) {
      since = time;
      count = 0;
    }
    count += 1;
    return count > MAX_MESSAGES;
  };
}
