/** A frame that keeps the page busy for longer is followed by a rest. */
const SLOW_FRAME_MS = 40;
/** The slower, the longer the rest: as long as a frame of this time, up to three times as long as slower ones. */
const EVEN_FRAME_MS = 200;
const MAX_REST_FACTOR = 3;
const MAX_REST_MS = 3_000;
/** Rest of a stage that only its user moves: enough for what waits, and too short to hold up a fade that the story waits for. */
const SHORT_REST_MS = 50;
/** Orders come several at a time: this long after one, the rests are long. */
const DRIVEN_MS = 10_000;

/**
 * Part of the bridge, before everything that asks for frames: decides when the page may draw. Without a graphics card, on a busy
 * machine, a frame keeps the page's thread for seconds, and the next one follows at once: orders of the app would never be
 * answered, and the user's clicks late. So slow frames are followed by a rest, a long one while orders come, and there are none at all
 * while `holdFrames` is in force. What was asked for meanwhile is drawn after. Old syntax: it is sent without a build step.
 */
export const FRAMES = `const requestFrame = requestAnimationFrame;
  const cancelFrame = cancelAnimationFrame;
  const afterFrame = setTimeout;
  /** Frames that are asked for, by the id that the page has; \`own\` is the browser's, absent while they wait. */
  const asked = new Map();
  let frameIds = 0;
  const holds = new Set();
  let isResting = false;
  let orderedAt = -${DRIVEN_MS};
  let isMeasured = false;
  const toRest = (took) => {
    if (performance.now() - orderedAt >= ${DRIVEN_MS}) return ${SHORT_REST_MS};
    return Math.min(took * Math.min(${MAX_REST_FACTOR}, Math.max(1, took / ${EVEN_FRAME_MS})), ${MAX_REST_MS});
  };
  const measure = () => {
    if (isMeasured) return;
    isMeasured = true;
    const began = performance.now();
    // Runs after the picture was handed over, which is what takes long.
    afterFrame(() => {
      isMeasured = false;
      const took = performance.now() - began;
      if (took < ${SLOW_FRAME_MS} || isResting) return;
      isResting = true;
      withdraw();
      afterFrame(() => { isResting = false; askAll(); }, toRest(took));
    }, 0);
  };
  const ask = (id, frame) => {
    frame.own = requestFrame((time) => { asked.delete(id); measure(); frame.callback(time); });
  };
  const askAll = () => {
    if (isResting || holds.size > 0) return;
    for (const [id, frame] of asked) if (frame.own === undefined) ask(id, frame);
  };
  const withdraw = () => {
    for (const frame of asked.values()) {
      if (frame.own !== undefined) cancelFrame(frame.own);
      frame.own = undefined;
    }
  };
  /** No frames until the returned function is called, while an order is carried out or the page cannot be seen. */
  const holdFrames = (isOrder) => {
    if (isOrder) orderedAt = performance.now();
    const hold = {};
    holds.add(hold);
    withdraw();
    return () => { if (holds.delete(hold)) askAll(); };
  };
  globalThis.requestAnimationFrame = (callback) => {
    // Throws what the browser throws.
    if (typeof callback !== 'function') return requestFrame(callback);
    const id = frameIds += 1;
    const frame = { callback, own: undefined };
    asked.set(id, frame);
    if (!isResting && holds.size === 0) ask(id, frame);
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => {
    const frame = asked.get(Number(id));
    if (!frame) return;
    asked.delete(Number(id));
    if (frame.own !== undefined) cancelFrame(frame.own);
  };`;
