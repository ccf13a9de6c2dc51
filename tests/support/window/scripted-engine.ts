import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Stands in for an engine of the 4.6 line, which no registry has: a real page that speaks `webgal-editor-preview-sync.v1` as recorded
 * from 4.6.1 (registers after a second in a frame, acts on nothing before the answer, acknowledges before it acts, is silent on what
 * it does not know, sends a state with each change) and plays the part of the language that the driver's tests use, with the
 * elements that players click. It knows no pictures, sounds or animations.
 */
const SCRIPT = String.raw`
const host = new WebSocket('ws://' + location.host + '/api/webgalsync', ['webgal-editor-preview-sync.v1']);
const send = (message) => host.send(JSON.stringify(message));
let isRegistered = false;
const log = (level, text) => console.log('%c[' + level + ']', 'color: red', text);

let scene = { name: 'start.txt', lines: [] };
let at = 0;
let variables = Object.create(null);
// Where the page of an engine keeps the variables for all stories: in the store that React holds.
const userData = { globalGameVar: { Game_name: 'link' }, scriptManagedGlobalVar: [] };
const part = { memoizedProps: { store: { getState: () => ({ userData }) } }, child: null };
document.getElementById('root')['__reactContainer$link'] = { stateNode: { current: { memoizedProps: null, child: part } } };
let shown = { showText: '', showName: '' };
let effects = [];
const textBox = document.querySelector('#textBoxMain');
const textBoxPlace = textBox.nextSibling;
let calls = [];
const commit = () => {
  textBox.textContent = shown.showText;
  if (isRegistered) send({ kind: 'event', type: 'stage.snapshot.updated', payload: { sceneName: scene.name, sentenceId: at, stageState: { ...shown, GameVar: variables, effects } } });
};
const load = (name) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  request.open('GET', './game/scene/' + name);
  request.onload = () => (request.status === 200 ? resolve(request.responseText.replaceAll('\r', '').split('\n')) : reject(new Error(String(request.status))));
  request.onerror = reject;
  request.send();
});
const evaluate = (expression) => new Function('scope', 'with (scope) { return (' + expression + '); }')({ ...userData.globalGameVar, ...variables });
const isTrue = (condition) => { try { return Boolean(evaluate(condition)); } catch { return false; } };
const parse = (line) => {
  const [, command = '', rest = ''] = /^([^:;]*)(?::([^;]*))?/.exec(line) || [];
  return { command: line.split(';')[0].trim() === '' ? '' : command, content: rest.split(' -')[0].trim() };
};
const setVariable = (content, line) => {
  const [name, ...value] = content.split('=');
  const isGlobal = / -global(\s|;|$)/.test(line);
  const into = isGlobal ? userData.globalGameVar : variables;
  if (isGlobal) userData.scriptManagedGlobalVar = [...new Set([...userData.scriptManagedGlobalVar, name])];
  const expression = value.join('=');
  // A function that it does not know has no value; a name without a value is a text.
  try { into[name] = /^[a-z]+\(\)$/.test(expression) ? undefined : (evaluate(expression) ?? expression); }
  catch { into[name] = ''; log('ERROR', 'expression compile error'); }
};
const container = () => document.querySelector('#chooseContainer');
const close = () => container().replaceChildren();
const goTo = async (name, called) => {
  try { scene = { name: called, lines: await load(name) }; at = 0; }
  catch { log('ERROR', '场景调用错误'); }
};
const jump = (label) => {
  const found = scene.lines.findLastIndex((line) => parse(line).command === 'label' && parse(line).content === label);
  if (found >= 0) at = found;
};
const showMenu = (content) => {
  const main = document.createElement('div');
  main.className = 'Choose_Main';
  for (const option of content.split('|')) {
    const [, show, enable, rest] = /^(?:\(([^)]*)\)->)?(?:\[([^\]]*)\]->)?(.*)$/.exec(option);
    if (show !== undefined && !isTrue(show)) continue;
    const [text, target = ''] = rest.split(':');
    const isEnabled = enable === undefined || isTrue(enable);
    const outer = document.createElement('div');
    const item = document.createElement('div');
    item.className = isEnabled ? 'Choose_item' : 'Choose_item_disabled';
    item.textContent = text;
    if (isEnabled) item.onclick = async () => {
      close();
      if (target.endsWith('.txt')) await goTo(target, text); else jump(target);
      forward();
    };
    outer.append(item);
    main.append(outer);
  }
  container().replaceChildren(main);
};
const showInput = (name) => {
  const main = document.createElement('div');
  const input = document.createElement('input');
  const button = document.createElement('button');
  button.onclick = () => { variables[name] = input.value; close(); forward(); };
  main.append(input, button);
  container().replaceChildren(main);
};
const say = (command, content) => {
  const text = content === '' ? command : content;
  shown = { showText: text.replace(/\{(\w+)\}/g, (_, name) => String({ ...userData.globalGameVar, ...variables }[name])), showName: content === '' ? shown.showName : command };
};
/** Runs to the next line at which a player stops. */
const forward = async () => {
  for (let count = 0; ; count += 1) {
    if (count > 1000) { log('ERROR', 'forward 中执行的语句数量超过限制'); break; }
    if (at >= scene.lines.length) {
      const back = calls.pop();
      if (!back) break;
      ({ scene, at } = back);
      continue;
    }
    const { command, content } = parse(scene.lines[at]);
    at += 1;
    if (command === '' || command === 'label') continue;
    if (command === 'setVar') setVariable(content, scene.lines[at - 1]);
    else if (command === 'jumpLabel') jump(content);
    else if (command === 'changeScene') await goTo(content, content.split('/').at(-1));
    else if (command === 'callScene') { calls.push({ scene, at }); await goTo(content, content.split('/').at(-1)); }
    else if (command === 'choose') { showMenu(content); break; }
    else if (command === 'getUserInput') { showInput(content); break; }
    else if (command === 'end') { showTitle(true); break; }
    else { say(command, content); break; }
  }
  commit();
};
const showTitle = (isShown) => document.querySelector('.title').replaceChildren(...(isShown ? [Object.assign(document.createElement('div'), { className: 'title__enter-game-target' }), document.createElement('div')] : []));
showTitle(true);
document.querySelector('#FullScreenClick').onclick = () => { if (container().children.length === 0) forward(); };

const COMMANDS = {
  async 'sync-scene'({ sceneName, sentenceId }) {
    let lines;
    try { lines = await load(sceneName); } catch { return log('ERROR', '实时预览跳转错误'); }
    scene = { name: sceneName, lines };
    [at, variables, calls, shown, effects] = [0, Object.create(null), [], { showText: '', showName: '' }, []];
    close();
    showTitle(false);
    while (at < Math.min(sentenceId, lines.length)) {
      const { command, content } = parse(lines[at]);
      at += 1;
      if (command === 'setVar') setVariable(content, lines[at - 1]);
      else if (command === 'choose') { showMenu(content); break; }
      else if (!['', 'label', 'jumpLabel', 'changeScene', 'callScene', 'getUserInput', 'end'].includes(command)) say(command, content);
    }
    commit();
  },
  // Committed with the next change of the stage.
  'run-snippet': ({ snippet }) => { for (const line of snippet.split('\n')) if (parse(line).command === 'setVar') setVariable(parse(line).content, line); },
  'set-effect': ({ target, transform }) => {
    const before = effects.find((each) => each.target === target);
    if (transform) effects = [...effects.filter((each) => each !== before), { target, transform: { ...(before && before.transform), ...transform } }];
    commit();
  },
  'set-component-visibility': ({ showTextBox }) => {
    if (showTextBox === false) textBox.remove();
    else if (showTextBox === true) textBoxPlace.parentNode.insertBefore(textBox, textBoxPlace);
  },
};
host.onmessage = ({ data }) => {
  const { kind, type, requestId, payload } = JSON.parse(data);
  if (kind === 'response' && type === 'session.register-preview') {
    isRegistered = true;
    send({ kind: 'event', type: 'preview.ready.updated', payload: { ready: true } });
    commit();
  }
  const act = COMMANDS[String(type).replace('preview.command.', '')];
  if (kind !== 'request' || !isRegistered || !act) return;
  send({ kind: 'response', type, requestId, payload: {} });
  act(payload);
};
host.onopen = () => {
  const register = () => send({ kind: 'request', type: 'session.register-preview', requestId: 'req-1', payload: { gameId: 'link' } });
  if (parent === window) return register();
  parent.postMessage({ type: 'webgal.preview.bootstrap.request' }, '*');
  setTimeout(register, 1000);
};
`;

const PAGE = `<!DOCTYPE html><html><head><meta charset="UTF-8"></head><body><div id="root"></div><div class="title"></div><div id="textBoxMain"></div><div id="chooseContainer"></div><div id="FullScreenClick" style="position:absolute;inset:50% 0 0 0"></div><script>${SCRIPT}</script></body></html>`;

/** Writes the engine into a folder of its own, as a built engine has it. */
export async function writeScriptedEngine(): Promise<{ directory: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'engine-'));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), PAGE);
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
