import { CONNECTIONS } from './stage-connections-script.ts';
import { DRIVER } from './stage-driver-script.ts';
import { FRAMES } from './stage-frames-script.ts';
import { PICTURE } from './stage-picture-script.ts';

/**
 * Removes connections that no directive of the content security policy covers. A frame created by the game has a global
 * object of its own with all of these APIs, so peer connections are taken, too.
 */
export const LIMITS = `${CONNECTIONS}
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'WebSocketStream', 'fetchLater', 'EyeDropper']) delete globalThis[name];
  if (globalThis.BaseAudioContext) delete BaseAudioContext.prototype.audioWorklet;
  if (globalThis.Worklet) delete Worklet.prototype.addModule;
  const execCommand = Document.prototype.execCommand;
  Document.prototype.execCommand = function (command, ...rest) {
    const name = String(command);
    return /^(copy|cut|paste)/i.test(name) ? false : execCommand.call(this, name, ...rest);
  };`;

/** Where the script below reports to. */
export const BRIDGE_PATH = '/__stage/bridge';

/**
 * Runs in the engine's page before any other script. Reports engine errors and uncaught exceptions to the app, executes
 * the commands of the stage's controls (mute, reload), and pauses sounds and frames while the page is hidden or folded away. It connects to this
 * server only; the page around the frame reaches it by messages, because it is another origin. Old syntax: it is sent
 * without a build step.
 */
export const BRIDGE_SCRIPT = `(() => {
  'use strict';
  ${LIMITS}

  ${FRAMES}

  ${DRIVER}
  ${PICTURE}

  const queue = [];
  let seen = new Map();
  // Separate budgets, so that errors forged by a game do not hide the addresses it tried to reach.
  const budgets = { blocked: 20, other: 60 };
  let socket = null;
  setInterval(() => { budgets.blocked = 20; budgets.other = 60; seen = new Map(); }, 10000);

  const tell = (level, text) => {
    const words = String(text).slice(0, 2000);
    if (words.includes('forward \u4e2d\u6267\u884c\u7684\u8bed\u53e5\u6570\u91cf')) loopAt = performance.now();
    const at = /^(error|exception|endless|empty-menu)$/.test(level) ? findPlace() : null;
    const key = level + words + JSON.stringify(at);
    const times = (seen.get(key) || 0) + 1;
    if (seen.size < 1000) seen.set(key, times);
    const kind = level === 'blocked' ? level : 'other';
    if (times > 1 || budgets[kind] <= 0) return;
    budgets[kind] -= 1;
    const message = JSON.stringify({ kind: 'trouble', level, text: words, at });
    send(message);
  };
  const send = (message) => {
    if (socket && socket.readyState === 1) socket.send(message);
    else if (queue.length < 100) queue.push(message);
  };

  const tellVisible = () => { if (socket && socket.readyState === 1) socket.send(JSON.stringify({ kind: 'seen', isVisible: !document.hidden })); };
  addEventListener('visibilitychange', tellVisible);
  const connect = () => {
    socket = new Socket('ws://' + location.host + '${BRIDGE_PATH}');
    socket.onopen = () => { tellVisible(); for (const message of queue.splice(0)) socket.send(message); };
    socket.onmessage = (event) => {
      if (event.data === 'reload') location.reload();
      else obey(JSON.parse(event.data));
    };
    socket.onclose = () => { setTimeout(connect, 2000); };
  };
  connect();

  // The engine hides the game behind a made-up search page at these keys, which no later jump removes. A user who leaves a menu of the
  // game by Esc takes the stage for broken. Engines respect keys that were handled.
  addEventListener('keyup', (event) => { if (event.code === 'Escape' || event.code === 'Backquote') event.preventDefault(); }, true);

  const words = (value) => {
    if (value instanceof Error) return value.message;
    if (typeof value === 'string') return value;
    try { return JSON.stringify(value); } catch { return String(value); }
  };
  for (const name of ['log', 'warn', 'error']) {
    const original = console[name];
    console[name] = function (...values) {
      const mark = values.findIndex((value) => typeof value === 'string' && /\\[(ERROR|WARN)\\]/.test(value));
      if (mark >= 0) {
        // The engine's logger puts colours and the time between the mark and the text.
        const rest = values.slice(mark + 1).map(words);
        const said = rest.filter((value) => !/^color:|^\\[[^\\]]*\\d:\\d\\d[^\\]]*\\]\\s*$/.test(value));
        tell(values[mark].includes('[ERROR]') ? 'error' : 'warning', said.length > 0 ? said.join(' ') : values[mark]);
      }
      return original.apply(this, values);
    };
  }
  addEventListener('error', (event) => { if (event.message) tell('exception', event.message); });
  addEventListener('unhandledrejection', (event) => { tell('exception', words(event.reason)); });
  // Violations for this server, or without an address, are no attempts to reach another host.
  const isElsewhere = (address) => {
    try {
      const { protocol, host } = new URL(address);
      return /^(https?|wss?):$/.test(protocol) && host !== location.host;
    } catch { return false; }
  };
  addEventListener('securitypolicyviolation', (event) => { if (isElsewhere(event.blockedURI)) tell('blocked', event.blockedURI); });

  let muted = false;
  const media = new Set();
  const originalMuted = new WeakMap();
  const applyMute = (element) => {
    if (muted && !originalMuted.has(element)) { originalMuted.set(element, element.muted); element.muted = true; }
    if (!muted && originalMuted.has(element)) { element.muted = originalMuted.get(element); originalMuted.delete(element); }
  };
  /** True while the page is hidden, or the app shows it nowhere: it draws nothing then and is silent. */
  let isAsleep = document.hidden;
  let isFolded = false;
  let wakeFrames = null;
  // Media that plays, or would play, while the page is asleep; it resumes when the page wakes up.
  const pausedMedia = new Set();
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () {
    media.add(new WeakRef(this));
    applyMute(this);
    if (!isAsleep) return play.apply(this, arguments);
    pausedMedia.add(this);
    return Promise.resolve();
  };
  const pause = HTMLMediaElement.prototype.pause;
  HTMLMediaElement.prototype.pause = function () {
    pausedMedia.delete(this);
    return pause.apply(this, arguments);
  };
  const forEachMedia = (act) => {
    for (const element of document.querySelectorAll('audio, video')) act(element);
    for (const reference of media) {
      const element = reference.deref();
      if (element) act(element); else media.delete(reference);
    }
  };
  const applyMuteToAll = () => forEachMedia(applyMute);

  const contexts = new Set();
  const Context = globalThis.AudioContext;
  globalThis.AudioContext = class AudioContext extends Context {
    constructor(...options) {
      super(...options);
      contexts.add(new WeakRef(this));
    }
  };
  const suspended = new Set();
  const forEachContext = (act) => {
    for (const reference of contexts) {
      const context = reference.deref();
      if (context) act(context); else contexts.delete(reference);
    }
  };
  const pauseAll = () => {
    forEachMedia((element) => {
      if (element.paused || element.ended) return;
      pause.call(element);
      pausedMedia.add(element);
    });
    forEachContext((context) => {
      if (context.state !== 'running') return;
      suspended.add(context);
      context.suspend().catch(() => {});
    });
  };
  const resumeAll = () => {
    for (const context of suspended) context.resume().catch(() => {});
    for (const element of pausedMedia) play.call(element).catch(() => {});
    suspended.clear();
    pausedMedia.clear();
  };
  const updateSleep = () => {
    const before = isAsleep;
    isAsleep = document.hidden || isFolded;
    // The browser asks for no frames of a hidden page; of one that is folded away it does.
    if (isFolded && !wakeFrames) wakeFrames = holdFrames();
    if (!isFolded && wakeFrames) { wakeFrames(); wakeFrames = null; }
    if (isAsleep !== before) (isAsleep ? pauseAll : resumeAll)();
  };
  addEventListener('visibilitychange', updateSleep, true);

  // The click that activated the frame belongs to the surrounding page; the engine receives a separate one.
  const clickAt = (clientX, clientY) => {
    const target = document.elementFromPoint(clientX, clientY);
    if (!target) return;
    const options = { bubbles: true, cancelable: true, composed: true, view: window, clientX, clientY };
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
      const make = type.startsWith('pointer') ? PointerEvent : MouseEvent;
      target.dispatchEvent(new make(type, options));
    }
  };

  addEventListener('message', (event) => {
    const message = event.data;
    if (event.source !== parent || parent === window || typeof message !== 'object' || message === null) return;
    if (message.stage === 'click') clickAt(Number(message.x), Number(message.y));
    if (message.stage === 'fold') { isFolded = message.folded === true; updateSleep(); }
    if (message.stage === 'mute') { muted = message.muted === true; applyMuteToAll(); }
  });
  if (parent !== window) parent.postMessage({ stage: 'listening' }, '*');
})();`;
