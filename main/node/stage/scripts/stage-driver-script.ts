import { GLOBALS } from './stage-globals-script.ts';
import { ORDERS } from './stage-orders-script.ts';

/** Time after which an order fails with a reason, in the page. The app waits a little longer for the answer. */
const ORDER_TIMEOUT_MS = 1_700;
/** How long an order holds the frames of the page: what still waits then may wait for an animation. */
const STILL_TIME_MS = 1_000;
/** A page that looked less often than this in its time was busy: the story says nothing about itself. */
const MIN_LOOKS = 40;
/** An operation of the app may take several orders; no frame comes between them. */
const NEXT_ORDER_MS = 60;

/**
 * Part of the bridge: carries out the orders of the app that no protocol of an engine has. Both protocols report the state
 * but have no command for a click, and 4.5 reports once a second only. The state is taken from what the engine sends to its
 * editor; a report of 4.5 is called before its time. It uses the engine's page only where all versions agree: the area that
 * takes clicks, the container of choices, and the element before the title. Old syntax: it is sent without a build step.
 */
export const DRIVER = `const Socket = WebSocket;
  const later = setTimeout;
  const stopLater = clearTimeout;
  const wait = (milliseconds) => new Promise((resolve) => later(resolve, milliseconds));

  /** The last state that the engine sent, and the timer that sends the next one (4.5). */
  let frame = null;
  let report = null;
  let isReporting = false;
  let isHeld = false;
  /** When the engine last reported that it stopped a loop (4.6). */
  let loopAt = -1;
  /** When the engine last set a timer of a moment, as it does to go on after a label: a story that jumps without end does so always. */
  let hurriedAt = 0;
  /** Jumps to labels in this second (4.5). */
  let jumps = 0;
  globalThis.setTimeout = (act, delay, ...rest) => {
    const id = later(act, delay, ...rest);
    // Not those without a delay: a page that is drawn slowly sets them all the time.
    if (delay === 1 || delay === 2) hurriedAt = performance.now();
    if (delay === 1) jumps += 1;
    if (isReporting && delay === 1000 && typeof act === 'function') report = { id, act };
    return id;
  };
  globalThis.WebSocket = class WebSocket extends Socket {
    constructor(...options) {
      super(...options);
      if (new URL(this.url).pathname !== '/api/webgalsync') return;
      this.send = (data) => {
        if (/"stageSyncMsg"|"stage.snapshot.updated"/.test(data)) {
          frame = data;
          follow(data);
          tellGlobals();
          isReporting = true;
          queueMicrotask(() => { isReporting = false; });
          if (isHeld) return;
        }
        super.send(data);
      };
    }
  };
  const sendState = () => {
    if (!report) return;
    const { id, act } = report;
    report = null;
    stopLater(id);
    try { act(); } catch (error) {
      // The engine cannot report inside of its own updates. It plans its next report last, so that none would follow.
      if (!report) report = { id: later(sendState, 1000), act };
      throw error;
    }
  };

  const toPosition = (text) => {
    try {
      const { data, payload } = JSON.parse(text);
      return data
        ? [data.sceneMsg.scene, data.sceneMsg.sentence, data.stageSyncMsg.currentDialogKey]
        : [payload.sceneName, payload.sentenceId, payload.stageState.currentDialogKey];
    } catch { return ['', 0]; }
  };
  /**
   * The file of the running scene. The engine's names are no paths: after a change of scene the file's name, after a choice the
   * option. Its file is the one that arrived last when the name changed; those that are requested because another scene arrived
   * are only prefetched (4.5). Of two files with one name, the second counts if it arrives just before the story begins anew.
   */
  const JUST_NOW = 500;
  const scenes = new Map();
  let current = { name: null, line: 0, place: null };
  const chosen = new Map();
  let isChoosing = null;
  let isArriving = false;
  let loading = 0;
  const follow = (text) => {
    const [name, line] = toPosition(text);
    const alike = [...scenes].filter(([place]) => place === name || place.endsWith('/' + name)).reverse();
    const found = (alike.find(([, { isPrefetch }]) => !isPrefetch) || alike[0] || [chosen.get(name)])[0];
    const { arrivedAt } = scenes.get(found) || { arrivedAt: -JUST_NOW };
    const isOther = line < current.line && performance.now() - arrivedAt < JUST_NOW;
    current = { name, line, place: name !== current.name || isOther ? found || null : current.place };
  };
  const open = XMLHttpRequest.prototype.open;
  XMLHttpRequest.prototype.open = function (method, address, ...rest) {
    const place = (/(?:^|\\/)game\\/scene\\/(.+)$/.exec(String(address)) || [])[1];
    if (place !== undefined) {
      const isPrefetch = isArriving;
      if (isChoosing !== null && chosen.size < 2000) { chosen.set(isChoosing, place); isChoosing = null; }
      this.addEventListener('loadstart', () => { loading += 1; });
      this.addEventListener('loadend', () => { loading -= 1; });
      this.addEventListener('load', () => {
        if (this.status !== 200) return;
        scenes.delete(place);
        if (scenes.size < 2000) scenes.set(place, { isPrefetch, arrivedAt: performance.now() });
        isArriving = true;
        later(() => { isArriving = false; hold(sendState); }, 0);
      });
    }
    return open.call(this, method, address, ...rest);
  };

  ${GLOBALS}

  const isEmptyHandler = (element) => {
    const key = Object.keys(element).find((name) => name.startsWith('__reactProps'));
    const act = key && element[key].onClick;
    return typeof act === 'function' && /^\\(\\)\\s*=>\\s*\\{\\s*\\}$/.test(String(act));
  };
  const findChoices = () => {
    const container = document.getElementById('chooseContainer');
    const main = container && container.firstElementChild;
    if (!main || container.querySelector('input')) return [];
    return [...main.children].map((outer) => outer.firstElementChild || outer);
  };
  const isEnabled = (element) => !/disabled/i.test(element.className) && !isEmptyHandler(element);
  const findField = () => document.querySelector('#chooseContainer input');
  const findConfirm = (field) => field.nextElementSibling || (field.parentElement && field.parentElement.lastElementChild);
  const hasInput = () => findField() !== null;
  const isOnTitle = () => {
    const target = document.querySelector('.title__enter-game-target');
    return target !== null && target.nextElementSibling !== null;
  };
  /** Lets the engine report to this script only. */
  const hold = (act) => {
    isHeld = true;
    try { act(); } finally { isHeld = false; }
  };
  const read = () => {
    hold(sendState);
    const choices = findChoices().slice(0, 50).map((element) => ({ text: element.textContent.slice(0, 500), isEnabled: isEnabled(element) }));
    return { frame, globals: readGlobals(), file: current.place, choices, hasInput: hasInput(), isOnTitle: isOnTitle(), hasTextBox: document.getElementById('textBoxMain') !== null };
  };
  /** What changes when the story moves. */
  const toKey = ({ frame, globals, hasTextBox, ...state }) => JSON.stringify([toPosition(frame), state]);
  /** Waits until the story rests: labels and scenes are reached after some time. Fails when it moves without end. */
  const settle = async (end) => {
    let last = '';
    let equal = 0;
    for (let looks = 1; ; looks += 1) {
      const state = read();
      const key = toKey(state);
      const isHurrying = performance.now() - hurriedAt < 10;
      equal = key === last && loading === 0 && !isHurrying ? equal + 1 : 0;
      if (equal >= 3) return loopAt > 0 ? { state, reason: 'endless' } : { state };
      if (performance.now() > end) return { state, reason: loading > 0 ? 'loading' : looks < ${MIN_LOOKS} ? 'busy' : 'endless' };
      last = key;
      await wait(4);
    }
  };
  ${ORDERS}
  let order = Promise.resolve();
  const carryOut = async ({ id, order: name, sentAt, ...options }) => {
    // The app has given up on an order that lay in a busy page: the story must not move for it any more.
    const left = ${ORDER_TIMEOUT_MS} - Math.max(0, Date.now() - sentAt);
    if (left <= 0) return;
    const release = holdFrames(true);
    later(release, ${STILL_TIME_MS});
    let result;
    try { result = await orders[name](options, performance.now() + left); }
    catch (error) { result = { reason: 'failed', state: read() }; }
    finally { later(release, ${NEXT_ORDER_MS}); }
    send(JSON.stringify({ kind: 'answer', id, ...result }));
    sendState();
  };
  // One that fails must not end all that follow.
  const obey = (given) => { order = order.then(() => carryOut(given)).catch(() => {}); };

  /** Where the engine is, as the file and the number of lines that ran; null where it reports after the fact (4.6). */
  const findPlace = () => {
    if (!report) return null;
    // Inside of the engine's own updates it cannot report.
    try { hold(sendState); } catch { return null; }
    return current.place === null ? null : { file: current.place, line: toPosition(frame)[1] };
  };
  let loops = 0;
  const findTrouble = () => {
    loops = jumps > 100 ? loops + 1 : 0;
    jumps = 0;
    if (loops === 2) tell('endless', '');
    const container = document.getElementById('chooseContainer');
    const main = container && container.firstElementChild;
    if (main && main.className !== '' && main.children.length === 0) tell('empty-menu', '');
    later(findTrouble, 1000);
  };
  later(findTrouble, 1000);

  // 4.5 reports once a second; after the user acts or the text changes the app must not wait for it.
  let isSoon = false;
  const sendSoon = () => {
    if (isSoon || !report) return;
    isSoon = true;
    later(() => { isSoon = false; sendState(); }, 100);
  };
  addEventListener('click', ({ target }) => {
    const element = findChoices().find((each) => each.contains(target));
    if (!element) return;
    isChoosing = element.textContent;
    if (isEnabled(element)) {
      const before = findChoices();
      const alike = before.slice(0, before.indexOf(element) + 1).filter((each) => isEnabled(each) && toPlain(each) === toPlain(element));
      tellWhenGone(element, { kind: 'chose', text: element.textContent.slice(0, 500), nth: alike.length });
    }
    later(() => { isChoosing = null; }, 0);
  }, true);
  /** A click may only end an animation, and the engine refuses some texts (4.6): what counts takes its element away. */
  const tellWhenGone = (element, message, left = 20) => later(() => {
    if (!element.isConnected) send(JSON.stringify(message));
    else if (left > 0) tellWhenGone(element, message, left - 1);
  }, 10);
  const toPlain = (element) => element.textContent.replace(/\\s+/g, ' ').trim();
  addEventListener('click', ({ target }) => {
    const field = findField();
    if (!field || !findConfirm(field) || !findConfirm(field).contains(target)) return;
    tellWhenGone(field, { kind: 'typed', text: field.value.slice(0, 500) });
  }, true);
  /** Whether the story runs: only then the title is news. */
  let isPlaying = false;
  const followTitle = () => {
    const isTitle = isOnTitle();
    if (isTitle && isPlaying) send(JSON.stringify({ kind: 'title' }));
    isPlaying = !isTitle && frame !== null;
  };
  for (const name of ['click', 'keyup', 'wheel']) addEventListener(name, sendSoon, { capture: true, passive: true });
  new MutationObserver(() => { sendSoon(); followTitle(); }).observe(document, { childList: true, subtree: true });`;
