/** Number of equal pictures in a row after which a drawing loop rests, and the pause between its frames then. */
export const STILL_FRAMES = 8;
export const STILL_PAUSE_MS = 100;

/**
 * Runs in the engine's page after the bridge. The engine draws every frame, also a picture that does not change, which costs more
 * than a core without a graphics card. The calls that draw a frame are summed up; equal sums are equal pictures. After a number of
 * them, a loop has fewer frames, and its calls are withheld until one differs from that of the picture before: then those
 * so far are carried out, and all that follow. A canvas without calls keeps its picture. Loops that do not draw are not slowed. The
 * loop is woken when the user acts or the page changes. Old syntax: it is sent without a build step.
 */
export const STILL_SCRIPT = `(() => {
  'use strict';
  const request = requestAnimationFrame;
  const cancel = cancelAnimationFrame;
  const later = setTimeout;
  const stop = clearTimeout;

  /** The sum after each call of the running frame, and of the loop's picture before while calls are withheld. */
  let sums = [];
  let expected = null;
  let held = [];
  let sum = 0;
  let draws = 0;
  let isNew = false;
  let running = false;
  /** Changes with each call outside of a loop, after which pictures are compared from the start. */
  let outside = 0;
  const add = (value) => { sum = Math.imul(sum ^ value, 16777619); };
  const number = new Float64Array(1);
  const halves = new Int32Array(number.buffer);
  const objects = new WeakMap();
  let known = 0;
  const LARGEST = 1 << 20;
  const addBytes = (data) => {
    // The content of large data is not read: it counts as new.
    if (data.byteLength > LARGEST) { isNew = true; return; }
    const buffer = ArrayBuffer.isView(data) ? data.buffer : data;
    const from = ArrayBuffer.isView(data) ? data.byteOffset : 0;
    const whole = from % 4 === 0 ? data.byteLength >> 2 : 0;
    const numbers = new Int32Array(buffer, whole ? from : 0, whole);
    for (let at = 0; at < whole; at += 1) add(numbers[at]);
    const bytes = new Uint8Array(buffer, from + whole * 4, data.byteLength - whole * 4);
    for (let at = 0; at < bytes.length; at += 1) add(bytes[at]);
  };
  const isData = (value) => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
  const addValue = (value) => {
    if (typeof value === 'number') { number[0] = value; add(halves[0]); add(halves[1]); }
    else if (typeof value !== 'object' || value === null) add(value ? 1 : 2);
    else if (isData(value)) addBytes(value);
    else if (Array.isArray(value)) for (const one of value) addValue(one);
    else {
      if (!objects.has(value)) objects.set(value, known += 1);
      add(objects.get(value));
    }
  };
  // Pages reuse their arrays, so a call that waits has copies.
  const toKept = (value) => (isData(value) ? value.slice(0) : Array.isArray(value) ? [...value] : value);
  const release = () => {
    if (expected === null) return;
    expected = null;
    for (const { owner, original, values } of held.splice(0)) original.apply(owner, values);
  };

  const DRAWS = /^(clear$|draw)/;
  // A picture or a video that is loaded anew is not compared.
  const LOADS = /^(tex|compressedTex|copyTex)(?!Parameter)/;
  const COUNTS = /^(uniform|vertexAttrib|buffer|bind|use|active|enable|disable|viewport|scissor|blend|color|stencil|depth|clear|draw|flush|tex|compressedTex|copyTex)/;
  /** Calls whose answer does not depend on what is withheld. */
  const HARMLESS = /^(getExtension|getError|getContextAttributes|getUniformLocation|getAttribLocation|getShaderPrecisionFormat|getSupportedExtensions|isContextLost)$/;
  const wrap = (name, original) => {
    if (HARMLESS.test(name)) return original;
    if (!COUNTS.test(name)) {
      return function () { release(); return original.apply(this, arguments); };
    }
    const isDraw = DRAWS.test(name);
    const isLoad = LOADS.test(name);
    let hash = 0;
    for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 16777619);
    return function () {
      if (!running) { outside += 1; return original.apply(this, arguments); }
      add(hash);
      addValue(this);
      if (isLoad) isNew = true;
      else for (let at = 0; at < arguments.length; at += 1) addValue(arguments[at]);
      if (isDraw) draws += 1;
      sums.push(sum);
      if (expected !== null && !isNew && expected[sums.length - 1] === sum) {
        held.push({ owner: this, original, values: [...arguments].map(toKept) });
        return undefined;
      }
      release();
      return original.apply(this, arguments);
    };
  };
  const wrapped = new WeakSet();
  const wrapAll = (prototype) => {
    if (!prototype || prototype === Object.prototype || wrapped.has(prototype)) return;
    wrapped.add(prototype);
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const own = Object.getOwnPropertyDescriptor(prototype, name);
      if (name !== 'constructor' && typeof own.value === 'function') prototype[name] = wrap(name, own.value);
    }
  };
  for (const Context of [globalThis.WebGLRenderingContext, globalThis.WebGL2RenderingContext]) {
    if (!Context) continue;
    const getExtension = Context.prototype.getExtension;
    wrapAll(Context.prototype);
    // Extensions draw, too.
    Context.prototype.getExtension = function () {
      const extension = getExtension.apply(this, arguments);
      if (extension) wrapAll(Object.getPrototypeOf(extension));
      return extension;
    };
  }
  for (const [Owner, name] of [[globalThis.HTMLCanvasElement, 'toDataURL'], [globalThis.HTMLCanvasElement, 'toBlob'], [globalThis.CanvasRenderingContext2D, 'drawImage']]) {
    if (!Owner) continue;
    const original = Owner.prototype[name];
    Owner.prototype[name] = function () { release(); return original.apply(this, arguments); };
  }

  /** By callback that draws: the sums of its last picture, and how many before it were equal. */
  const loops = new WeakMap();
  /** Frames that are asked for, by the id that the page has: waiting with a timer, or requested with an id of the browser. */
  const frames = new Map();
  let ids = 0;
  const begin = (id, frame) => {
    stop(frame.timer);
    frame.timer = undefined;
    frame.own = request((time) => { frames.delete(id); run(frame.callback, time); });
  };
  const isStill = (callback) => {
    const loop = loops.get(callback);
    return loop !== undefined && loop.equal >= ${STILL_FRAMES} && loop.outside === outside;
  };
  const place = (id, frame) => {
    if (!isStill(frame.callback)) begin(id, frame);
    else frame.timer = later(begin, ${STILL_PAUSE_MS}, id, frame);
  };
  const run = (callback, time) => {
    const last = loops.get(callback);
    sums = []; held = []; sum = 0; draws = 0; isNew = false;
    expected = isStill(callback) ? last.sums : null;
    running = true;
    try { callback(time); }
    finally {
      const isEqual = !isNew && last !== undefined && last.outside === outside && last.sums.length === sums.length && last.sums[sums.length - 1] === sum;
      if (!isEqual) release();
      expected = null;
      held = [];
      running = false;
      if (draws > 0) loops.set(callback, { sums, outside, equal: isEqual ? last.equal + 1 : 0 });
      else if (last) loops.delete(callback);
      // Only now it is known whether this picture is a new one.
      for (const [id, frame] of frames) if (frame.own === undefined && frame.timer === undefined) place(id, frame);
    }
  };
  globalThis.requestAnimationFrame = (callback) => {
    // Throws what the browser throws.
    if (typeof callback !== 'function') return request(callback);
    const id = ids += 1;
    const frame = { callback, own: undefined, timer: undefined };
    frames.set(id, frame);
    if (!running) place(id, frame);
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => {
    const frame = frames.get(Number(id));
    if (!frame) return;
    frames.delete(Number(id));
    stop(frame.timer);
    if (frame.own !== undefined) cancel(frame.own);
  };
  const wake = () => {
    for (const [id, frame] of frames) if (frame.timer !== undefined) begin(id, frame);
  };
  // A size, also the same one, clears a canvas.
  for (const side of ['width', 'height']) {
    const prototype = globalThis.HTMLCanvasElement && HTMLCanvasElement.prototype;
    const own = prototype && Object.getOwnPropertyDescriptor(prototype, side);
    if (!own || !own.set) continue;
    Object.defineProperty(prototype, side, { ...own, set(size) { release(); outside += 1; own.set.call(this, size); } });
  }
  for (const name of ['pointerdown', 'pointermove', 'wheel', 'keydown', 'message', 'resize', 'visibilitychange'])
    addEventListener(name, wake, { capture: true, passive: true });
  new MutationObserver(wake).observe(document, { childList: true, characterData: true, subtree: true });
})();`;
