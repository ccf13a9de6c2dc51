/**
 * Runs in the engine's page after the bridge. Intervals rest while the page is hidden and go on when it is seen: engines
 * leave some behind that do nothing 250 times a second. Timeouts run on, because the engine reports by them and plays what
 * the assistant asks for meanwhile. Plain old syntax: it is sent as it stands.
 */
export const INTERVAL_SCRIPT = `(() => {
  'use strict';
  const start = setInterval;
  /** By the id that the page has: how to start one again, and the id that it runs under, null while it rests. */
  const intervals = new Map();
  const rest = (interval) => {
    if (interval.runsAs !== null) clearNow(interval.runsAs);
    interval.runsAs = null;
  };
  const clearNow = clearInterval;
  globalThis.setInterval = (...options) => {
    const run = () => start(...options);
    const id = run();
    const interval = { run, runsAs: id };
    intervals.set(id, interval);
    if (document.hidden) rest(interval);
    return id;
  };
  // Pages may end an interval by either name.
  for (const name of ['clearInterval', 'clearTimeout']) {
    const original = globalThis[name];
    globalThis[name] = (id) => {
      const interval = intervals.get(Number(id));
      if (!interval) return original(id);
      intervals.delete(Number(id));
      rest(interval);
    };
  }
  addEventListener('visibilitychange', () => {
    for (const interval of intervals.values()) {
      if (document.hidden) rest(interval);
      else if (interval.runsAs === null) interval.runsAs = interval.run();
    }
  }, true);
})();`;
