/**
 * Runs before each script of a game: takes the peer connections, which a game without scripts need not pay for, or ends the script
 * with an error if one may be left. A property of a number, because the script could declare every name, `globalThis` included, and
 * declarations of functions precede this. In a frame that the game creates there is no such function, and the script ends with an
 * error, too: a sandboxed frame can have a process of its own, with connections that were not taken.
 */
export const SCRIPT_PRELUDE = '0..__takeConnections();';

/**
 * Runs before the scripts of a game in each page after the first one: the page waits until it holds the connections of the page before,
 * or for two seconds.
 */
export const WAIT_SCRIPT = '0..__waitForConnections();';
/** Answered late with that script, while the page waits for it: connections are freed only when the page does nothing. */
export const WAIT_PATH = '__stage/wait';
/** How late, in milliseconds. */
export const WAIT_MS = 100;

/** Chromium's number for each process; it counts closed connections until their memory is freed. */
const ALL = 500;
/** Above the limit of any version. A browser without a limit, such as Firefox, is not served by this. */
const MOST = 1000;
/** Attempts at once to free the connections of a page before. */
const MAX_ATTEMPTS = 5;
/** Two seconds. */
const MAX_WAITS = 20;
const RETRY_MS = 20;

/**
 * Takes all peer connections of the process: no directive of the content security policy covers them, and a frame created by the
 * game has a global object of its own with this API. They are created, closed and kept. That takes a third of a second, so it
 * happens only before the first script of a game runs, and before an expression that is more than an ordinary condition: the engine
 * compiles those with a library in which an expression can reach `Function`, and so run any program.
 *
 * The connections of a page before this one count until their memory is freed, so memory is allocated until all are held here. If
 * that fails, scripts end with an error; the stage that the user loads again has another name, and so another process.
 * Everything used later is bound at the start, since a game can replace methods and end timers: entries of a list are members of
 * literals, which no setter intercepts, and the timer is a signal, which has no number.
 */
export const CONNECTIONS = `const Peer = globalThis.RTCPeerConnection;
  const bindCall = (method) => Function.prototype.call.bind(method);
  const [closePeer, listen, test, replace] = [Peer && Peer.prototype.close, EventTarget.prototype.addEventListener, RegExp.prototype.test, String.prototype.replace].map((method) => method && bindCall(method));
  const [Block, Failure, construct, apply] = [ArrayBuffer, Error, Reflect.construct, Reflect.apply];
  const afterwards = globalThis.AbortSignal && AbortSignal.timeout ? AbortSignal.timeout.bind(AbortSignal) : null;
  const write = document.write.bind(document);
  // In the desktop window a connection reaches nothing: no script has to wait for those that Chromium has not freed. Its name, because
  // other programs with Electron show pages without such walls.
  const isStrict = !/\\bWebGALAgent\\//.test(navigator.userAgent);
  let held = null;
  let count = 0;
  const take = () => {
    try {
      for (let left = ${MOST}; left > 0; left -= 1) {
        const peer = new Peer();
        closePeer(peer);
        held = { __proto__: null, peer, before: held };
        count += 1;
      }
    } catch { /* There are no more. */ }
  };
  // Values left on the stack keep a connection that could not be created.
  const overwriteStack = (depth) => (depth > 0 ? 1 + overwriteStack(depth - 1) : 0);
  const freeMemory = () => {
    overwriteStack(500);
    for (let left = 40, blocks = null; left > 0; left -= 1) blocks = { __proto__: null, block: new Block(4e6), blocks };
  };
  const isFull = () => !Peer || count >= ${ALL};
  const holdAll = () => {
    for (let left = ${MAX_ATTEMPTS}; left > 0 && !isFull(); left -= 1) { freeMemory(); take(); }
    return isFull();
  };
  let isRetrying = false;
  // By turns: an attempt that fails leaves an object that counts until the page has done nothing for a moment.
  const step = (turn) => { if (turn % 2 === 0) freeMemory(); else take(); };
  const retry = (turn) => {
    step(turn);
    if (!isFull() && afterwards) listen(afterwards(${RETRY_MS}), 'abort', () => retry(turn + 1));
  };
  const takeConnections = () => {
    if (holdAll()) return;
    if (!isRetrying) { isRetrying = true; retry(0); }
    if (isStrict) throw new Failure('The page before this one still has connections. Reload the stage.');
  };
  let waits = 0;
  const waitForConnections = () => {
    if (!isStrict) return;
    step(waits);
    if (isFull() || waits >= ${MAX_WAITS}) return;
    waits += 1;
    write('<script src="/${WAIT_PATH}?' + waits + '"></' + 'script>');
  };
  Object.defineProperty(Number.prototype, '__takeConnections', { value: takeConnections });
  Object.defineProperty(Number.prototype, '__waitForConnections', { value: waitForConnections });
  // Of the compiled form of an expression: filters, members of anything but the variables, and members by a computed name.
  const isUnusual = (code) => test(/\\$filter\\(|\\bv\\d+(?:\\.(?!random\\b)|\\[)/, replace(String(code), /'[^']*'/g, ''));
  const inspect = (parts) => { if (parts[0] === '$filter' && isUnusual(parts[parts.length - 1])) takeConnections(); };
  // Set on the prototype of all objects, as a scene may find a way to do, this option would make the library run expressions itself.
  Object.defineProperty(Object.prototype, 'csp', {
    get() { return undefined; },
    set(value) { Object.defineProperty(this, 'csp', { value, writable: true, enumerable: true, configurable: true }); },
  });
  globalThis.Function = new Proxy(Function, {
    construct: (target, parts) => { inspect(parts); return construct(target, parts); },
    apply: (target, self, parts) => { inspect(parts); return apply(target, self, parts); },
  });`;
