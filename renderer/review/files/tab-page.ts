/** Tabs that are mounted at once: a tab takes about 0.3 ms, and a proposal can have thousands of files. */
const TABS_PER_PAGE = 50;

/** Returns the range of tabs to mount, `end` excluded: the page with the tab `at`, the first one if `at` is negative. */
export function toTabPage(at: number, total: number): { start: number; end: number } {
  const start = Math.floor(Math.max(0, at) / TABS_PER_PAGE) * TABS_PER_PAGE;
  return { start, end: Math.min(total, start + TABS_PER_PAGE) };
}
