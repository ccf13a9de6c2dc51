/**
 * Part of the script in the page of a playtest: time. Timers and frames of the page wait in a queue and run only when the player
 * asks for it, in order and without waiting, so that pauses of a story take no time. Frames are drawn rarely, because no one sees
 * them and drawing without a graphics card is the largest cost of an engine.
 */
export const CLOCK_SCRIPT = `
  const realTimeout = setTimeout;
  const realNow = performance.now.bind(performance);
  const realDate = Date.now;
  /** How far the time of the page is ahead, in ms. */
  let ahead = 0;
  const now = () => realNow() + ahead;
  performance.now = now;
  Date.now = () => realDate() + Math.round(ahead);

  const timers = new Map();
  let timerIds = 0;
  const addTimer = (handler, delay, rest, repeats) => {
    const wait = Math.max(repeats ? 4 : 0, Number(delay) || 0);
    const id = timerIds += 1;
    timers.set(id, { due: now() + wait, order: id, handler, rest, every: repeats ? wait : null });
    return id;
  };
  globalThis.setTimeout = (handler, delay, ...rest) => addTimer(handler, delay, rest, false);
  globalThis.setInterval = (handler, delay, ...rest) => addTimer(handler, delay, rest, true);
  globalThis.clearTimeout = globalThis.clearInterval = (id) => { timers.delete(Number(id)); };
  globalThis.requestIdleCallback = (handler) => addTimer(() => handler({ didTimeout: false, timeRemaining: () => 50 }), 1, [], false);
  globalThis.cancelIdleCallback = globalThis.clearTimeout;

  let frames = new Map();
  globalThis.requestAnimationFrame = (handler) => {
    const id = timerIds += 1;
    frames.set(id, handler);
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => { frames.delete(id); };
  const report = (error) => { realTimeout(() => { throw error; }, 0); };
  const guard = (act) => { try { act(); } catch (error) { report(error); } };
  const drawFrame = () => {
    const drawn = frames;
    frames = new Map();
    for (const handler of drawn.values()) guard(() => handler(now()));
  };

  const nextTimer = (isWanted) => {
    let next = null;
    for (const [id, timer] of timers) {
      if (!isWanted(timer)) continue;
      if (next === null || timer.due < next.timer.due || (timer.due === next.timer.due && timer.order < next.timer.order)) next = { id, timer };
    }
    return next;
  };
  const runTimer = ({ id, timer }) => {
    if (timer.due > now()) ahead += timer.due - now();
    if (timer.every === null) timers.delete(id);
    else { timer.due = now() + timer.every; timer.order = timerIds += 1; }
    guard(() => (typeof timer.handler === 'function' ? timer.handler(...timer.rest) : (0, eval)(String(timer.handler))));
  };
  /** Runs what is due within a number of ms; returns how many timers ran. */
  const runDue = (within) => {
    const until = now() + within;
    let count = 0;
    // Intervals that are due again meanwhile wait: at most one run of each.
    const ran = new Set();
    while (count < 1000) {
      const next = nextTimer((timer) => timer.due <= until && !(timer.every !== null && ran.has(timer)));
      if (next === null) break;
      ran.add(next.timer);
      runTimer(next);
      count += 1;
    }
    return count;
  };

  // Nothing is laid out or painted unless a measurement needs it.
  const unseen = document.createElement('style');
  unseen.textContent = 'body{content-visibility:hidden}';
  document.head.append(unseen);

  const channel = new MessageChannel();
  const turns = [];
  channel.port1.onmessage = () => { const turn = turns.shift(); if (turn) turn(); };
  /** Resolves after everything that the page has queued. */
  const takeTurn = () => new Promise((resolve) => { turns.push(resolve); channel.port2.postMessage(0); });
  const sleep = (ms) => new Promise((resolve) => { realTimeout(resolve, ms); });
`;
