/** The stage sends one message for each page that it loads; no published game that was looked at sends one of its own. */
const MAX_PER_PAGE = 4;
const MAX_PER_WINDOW = 12;
const WINDOW_MS = 10_000;

export interface MessageLimit {
  /** Called when the frame has loaded a page. */
  onLoad(): void;
  /** Called with the time of each message, in milliseconds; returns true once there are too many. */
  isFlood(time: number): boolean;
}

/**
 * Counts messages of the frame since it loaded its page, and within ten seconds. Browsers queue messages of another process without
 * limit: one that sends them without end, or a few that are huge, would fill the memory of the page and keep it busy.
 */
export function createMessageLimit(): MessageLimit {
  let count = 0;
  let sinceLoad = 0;
  let since = Number.NEGATIVE_INFINITY;
  return {
    onLoad() {
      sinceLoad = 0;
    },
    isFlood(time) {
      if (time - since > WINDOW_MS) {
        since = time;
        count = 0;
      }
      count += 1;
      sinceLoad += 1;
      const isFlood = count > MAX_PER_WINDOW || sinceLoad > MAX_PER_PAGE;
      // The game is stopped; the messages of one that is started again come before its page has loaded.
      if (isFlood) count = sinceLoad = 0;
      return isFlood;
    },
  };
}
