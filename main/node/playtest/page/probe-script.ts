/**
 * Part of the script in the page of a playtest: what the engine does. The engine's scene manager and its list of performances are
 * recognised when the engine creates them, by the names of their fields, which engines since 4.5 have in common. The line counter is
 * replaced by one that records each line. The socket to the editor is answered in the page: nothing leaves it.
 */
export const PROBE_SCRIPT = `
  let scenes = null;
  let performs = null;
  const found = {
    lockSceneWrite: (owner) => { scenes = owner; watchLines(); },
    performList: (owner) => { performs = owner; },
  };
  const define = Object.defineProperty;
  const give = (owner, key, value) => {
    define(owner, key, { value, writable: true, enumerable: true, configurable: true });
    if (!found[key]) return;
    const tell = found[key];
    delete found[key];
    delete Object.prototype[key];
    tell(owner);
    if (Object.keys(found).length === 0) Object.defineProperty = define;
  };
  for (const key of Object.keys(found)) {
    define(Object.prototype, key, { configurable: true, get() { return undefined; }, set(value) { give(this, key, value); } });
  }
  Object.defineProperty = function (owner, key, how) {
    if (found[key] && how && 'value' in how && owner !== Object.prototype) { give(owner, key, how.value); return owner; }
    return define(owner, key, how);
  };

  /** What was played since the last report: line numbers from 0, by address of the scene. */
  let played = new Map();
  let skipped = new Map();
  let problems = [];
  let steps = 0;
  let isSkipping = false;
  let lastChoice = null;
  let ended = null;
  let lastPlayed = { scene: '', line: 0 };
  const addLine = (lines, url, line) => {
    const known = lines.get(url);
    if (known) known.add(line); else lines.set(url, new Set([line]));
  };
  const scene = () => (scenes ? scenes.sceneData.currentScene : null);
  /** The last scene that was played: after an end the engine has none. */
  let lastPlace = { scene: '', line: 0 };
  const place = () => {
    const url = String((scene() || {}).sceneUrl || '');
    if (url !== '') lastPlace = { scene: url, line: lineNow };
    return lastPlace;
  };
  let lineNow = 0;
  let wasReplaced = false;
  /** Between two routes: the engine finds nothing to play in any scene. */
  let isResting = false;
  /** An option leaves the line after its menu, which did not run. */
  let isChoosing = false;
  /** A line is passed by the step to the next one; only a jump or an end leads elsewhere. */
  const isPassed = ({ commandRaw }, value) => !isChoosing && (value === lineNow + 1 || commandRaw === 'jumpLabel' || commandRaw === 'end');
  const watchLines = () => {
    const data = scenes.sceneData;
    let current = data.currentScene;
    lineNow = data.currentSentenceId;
    define(data, 'currentScene', {
      enumerable: true, configurable: true,
      get: () => current,
      set(value) { current = isResting ? { ...value, sentenceList: [] } : value; wasReplaced = true; },
    });
    define(data, 'currentSentenceId', {
      enumerable: true, configurable: true,
      get: () => lineNow,
      set(value) {
        steps += 1;
        const sentence = current && current.sentenceList && current.sentenceList[lineNow];
        if (!wasReplaced && sentence && isPassed(sentence, value)) {
          const url = String(current.sceneUrl);
          addLine(isSkipping ? skipped : played, url, lineNow);
          if (!isSkipping) noteFilled(sentence, url);
          if (!isSkipping) lastPlayed = { scene: url, line: lineNow };
          // An end resets the line counter before the variables.
          if (!isSkipping && sentence.commandRaw === 'end') ended = { scene: url, line: lineNow + 1, variables: shortVariables() };
          if (!isSkipping && sentence.commandRaw === 'choose') lastChoice = { scene: url, line: lineNow };
        }
        const isJump = wasReplaced || value <= lineNow;
        wasReplaced = false;
        isSkipping = false;
        lineNow = value;
        // Its key is where it leads to.
        if (isJump) jumped();
      },
    });
  };
  /** Files that lines name by variables, each once for a line: the engine fills variables in before it runs a line. */
  let filled = [];
  const knownFilled = new Set();
  const MOST_FILLED = 10000;
  /** Until the next report, and characters of one. */
  const MOST_FILLED_NOW = 1000;
  const LONGEST_FILLED = 500;
  const fill = (text) => text.replace(/(?<!\\\\)\\{(.*?)\\}/g, (written, name) => {
    const { stage, userData } = getState() || {};
    const values = [stage && stage.GameVar, userData && userData.globalGameVar];
    const owner = values.find((one) => one && Object.hasOwn(one, name));
    return owner ? String(owner[name]) : written;
  });
  const noteFilled = ({ content, args }, url) => {
    for (const text of [content, ...(args || []).map(({ value }) => value)]) {
      if (typeof text !== 'string' || !text.includes('{')) continue;
      const named = fill(text);
      if (named === text) continue;
      // A menu names the scenes of its options.
      for (const file of named.split(/[|:]/)) {
        const key = url + ' ' + lineNow + ' ' + file;
        if (!/\\.\\w+$/.test(file) || file.length > LONGEST_FILLED || knownFilled.has(key)) continue;
        if (knownFilled.size >= MOST_FILLED || filled.length >= MOST_FILLED_NOW) continue;
        knownFilled.add(key);
        filled.push({ scene: url, line: lineNow, file });
        // Engines ask early for files whose names are written out, and for these only when they draw them: the story may be further by then.
        if (/^\\.\\/game\\/[^{}]+$/.test(file)) globalThis.fetch(file, { method: 'HEAD' }).catch(() => {});
      }
    }
  };
  const HASHES = new Map();
  let repeats = 0;
  /** The variables that outlive a game, as they were before the first route: settings of the game are among them. */
  let globals = {};
  /** As the engine reads them: a variable of the story hides one of the same name that outlives it. */
  const variables = () => {
    const { stage, userData } = getState() || {};
    const changed = Object.entries((userData && userData.globalGameVar) || {}).filter(([name, value]) => value !== globals[name]);
    return { ...Object.fromEntries(changed), ...(stage && stage.GameVar) };
  };
  /** What is reported of them: a story can make texts longer without end. */
  const MOST_VARIABLES = 1000;
  const LONGEST_VALUE = 2000;
  const shortVariables = () => Object.fromEntries(Object.entries(variables()).slice(0, MOST_VARIABLES)
    .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, LONGEST_VALUE) : value]));
  /**
   * How often a story may come to a place from the same callers until that counts as without end, whatever its variables, where the
   * player does nothing but click on, and where it does not even stop: that often is five seconds of nothing.
   */
  const MOST_ROUNDS = 400;
  const MOST_PASSES = 1000;
  const passes = new Map();
  /** Clicks and pauses so far. */
  let stopped = 0;
  let isEndless = false;
  const countPass = (key) => {
    const known = passes.get(key) || { all: 0, rounds: 0, stopped: -1 };
    known.all += 1;
    if (known.stopped !== stopped) { known.rounds += 1; known.stopped = stopped; }
    if (known.all > MOST_PASSES || known.rounds > MOST_ROUNDS) isEndless = true;
    if (passes.size < 20000) passes.set(key, known);
  };

  /** Of a story that calls scenes without end, only the depth counts further out. */
  const MOST_CALLERS = 50;
  let depth = 0;
  /** Counts returns to a place with the same variables and callers. */
  const jumped = () => {
    const { scene: url } = place();
    const stack = scenes.sceneData.sceneStack;
    // Scenes that call each other without end differ in the depth alone; on their way back they do not repeat themselves.
    const isDeeper = stack.length > depth && stack.length > MOST_CALLERS;
    depth = stack.length;
    countPass(JSON.stringify([url, lineNow, stack.map((one) => [one.sceneUrl, one.continueLine])]));
    const callers = stack.slice(-MOST_CALLERS).map((one) => [one.sceneUrl, one.continueLine]);
    const key = JSON.stringify([url, lineNow, variables(), isDeeper || stack.length, callers]);
    const count = (HASHES.get(key) || 0) + 1;
    if (HASHES.size < 20000) HASHES.set(key, count);
    if (count > repeats) repeats = count;
  };

  let store = null;
  const getState = () => {
    if (store === null) {
      store = findStore();
      if (store) refuseStored();
    }
    return store ? store.getState() : null;
  };
  /**
   * Engines read back what they stored, which takes real time: it would replace the settings of the game, which are variables, and later
   * the story has gone on, and may be another route. Nothing was stored before a playtest.
   */
  const refuseStored = () => {
    const { dispatch } = store;
    store.dispatch = (action) => (action && action.type === 'userData/resetUserData' ? action : dispatch(action));
  };
  const findStore = () => {
    const root = document.getElementById('root');
    const key = root && Object.keys(root).find((name) => name.startsWith('__reactContainer$'));
    const waiting = key ? [root[key]] : [];
    for (let count = 0; waiting.length > 0 && count < 5000; count += 1) {
      const fiber = waiting.pop();
      const own = fiber.memoizedProps && fiber.memoizedProps.store;
      if (own && typeof own.getState === 'function') return own;
      if (fiber.sibling) waiting.push(fiber.sibling);
      if (fiber.child) waiting.push(fiber.child);
    }
    return null;
  };

  const MOST_PROBLEMS = 200;
  const note = (level, text) => {
    if (problems.length >= MOST_PROBLEMS) return;
    const at = place();
    problems.push({ level, text: String(text).slice(0, 500), scene: at.scene, line: at.line });
  };
  const toWords = (value) => {
    if (value instanceof Error) return value.message;
    if (typeof value === 'string') return value;
    try { return String(JSON.stringify(value)); } catch { return String(value); }
  };
  for (const name of ['log', 'warn', 'error', 'info', 'debug']) {
    console[name] = (...values) => {
      const at = values.findIndex((value) => typeof value === 'string' && /\\[(ERROR|WARN)\\]/.test(value));
      if (at < 0) return;
      const rest = values.slice(at + 1).map(toWords).filter((text) => !/^color:|^\\[[^\\]]*\\d:\\d\\d[^\\]]*\\]\\s*$/.test(text));
      const text = rest.length > 0 ? rest.join(' ') : values[at];
      if (text.includes('\\u4E0D\\u6EE1\\u8DB3\\u6761\\u4EF6')) { isSkipping = true; return; }
      note(values[at].includes('[ERROR]') ? 'error' : 'warning', text);
    };
  }
  let exceptions = 0;
  addEventListener('error', (event) => { if (event.message) { exceptions += 1; note('exception', event.message); } });
  addEventListener('unhandledrejection', (event) => {
    exceptions += 1;
    const { reason } = event;
    // A picture or sound that cannot be loaded rejects with the event of its element.
    const file = reason instanceof Event && reason.target && (reason.target.currentSrc || reason.target.src);
    if (file) note('unreadable', file);
    else note('exception', toWords(reason));
  });
  addEventListener('securitypolicyviolation', (event) => {
    try {
      const { protocol, host } = new URL(event.blockedURI);
      if (/^(https?|wss?):$/.test(protocol) && host !== location.host) note('blocked', event.blockedURI);
    } catch { /* No address. */ }
  });

  /** Requests of the page that are not answered yet. */
  let pending = 0;
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function () {
    pending += 1;
    this.addEventListener('loadend', () => { pending -= 1; }, { once: true });
    return send.apply(this, arguments);
  };
  const realFetch = globalThis.fetch;
  globalThis.fetch = (...request) => {
    pending += 1;
    return realFetch(...request).finally(() => { pending -= 1; });
  };

  // Sound and video are over at once; they are loaded, so a missing file is seen.
  HTMLMediaElement.prototype.play = function () {
    if (!this.loop) addTimer(() => this.dispatchEvent(new Event('ended')), 1, [], false);
    return Promise.resolve();
  };

  let editor = null;
  const NEWER = 'webgal-editor-preview-sync.v1';
  globalThis.WebSocket = class extends EventTarget {
    constructor(url, protocols) {
      super();
      this.url = String(url);
      this.protocol = [].concat(protocols || []).includes(NEWER) ? NEWER : '';
      this.readyState = 0;
      this.binaryType = 'blob';
      this.bufferedAmount = 0;
      this.extensions = '';
      if (!new URL(this.url, location.href).pathname.endsWith('/api/webgalsync')) {
        addTimer(() => { this.readyState = 3; this.emit(new Event('error')); this.emit(new CloseEvent('close')); }, 1, [], false);
        return;
      }
      editor = this;
      addTimer(() => { this.readyState = 1; this.emit(new Event('open')); }, 1, [], false);
    }
    emit(event) {
      const handler = this['on' + event.type];
      if (typeof handler === 'function') handler.call(this, event);
      this.dispatchEvent(event);
    }
    receive(message) { this.emit(new MessageEvent('message', { data: JSON.stringify(message) })); }
    send(data) {
      if (this.protocol !== NEWER) return;
      let message = null;
      try { message = JSON.parse(data); } catch { return; }
      if (message && message.kind === 'request' && message.type === 'session.register-preview')
        this.receive({ kind: 'response', type: message.type, requestId: message.requestId, payload: {} });
    }
    close() { this.readyState = 3; }
  };
  for (const [name, value] of [['CONNECTING', 0], ['OPEN', 1], ['CLOSING', 2], ['CLOSED', 3]]) {
    define(WebSocket, name, { value });
    define(WebSocket.prototype, name, { value });
  }
`;
