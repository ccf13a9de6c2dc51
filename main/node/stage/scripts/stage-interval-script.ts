/**
 * Runs in the engine's page after the bridge. Intervals pause while the page is hidden, or folded away in the app, and resume when it is visible:
 * engines leave some behind that run 250 times a second without effect. Timeouts continue, because the engine uses them
 * to report and to play what the assistant requests meanwhile. Old syntax: it is sent without a build step.
 */
export const INTERVAL_SCRIPT = `(() => {
  'use strict';
  const start = setInterval;
  /** By the id that the page has: how to restart the interval, and its current id, null while it is paused. */
  const intervals = new Map();
  const rest = (interval) => {
    if (interval.runsAs !== null) clearNow(interval.runsAs);
    interval.runsAs = null;
  };
  const clearNow = clearInterval;
  let isFolded = false;
  const isAsleep = () => document.hidden || isFolded;
  globalThis.setInterval = (...options) => {
    const run = () => start(...options);
    const id = run();
    const interval = { run, runsAs: id };
    intervals.set(id, interval);
    if (isAsleep()) rest(interval);
    return id;
  };
  // Pages may end an interval with either function.
  for (const name of ['clearInterval', 'clearTimeout']) {
    const original = globalThis[name];
    globalThis[name] = (id) => {
      const interval = intervals.get(Number(id));
      if (!interval) return original(id);
      intervals.delete(Number(id));
      rest(interval);
    };
  }
  const update = () => {
    for (const interval of intervals.values()) {
      if (isAsleep()) rest(interval);
      else if (interval.runsAs === null) interval.runsAs = interval.run();
    }
  };
  addEventListener('visibilitychange', update, true);
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || parent === window || typeof data !== 'object' || data === null || data.stage !== 'fold') return;
    isFolded = data.folded === true;
    update();
  });
})();`;
