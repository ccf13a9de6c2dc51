import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { copySample } from '../../../scripts/copy-sample.ts';
import { handToDesktopUser, toAppEnvironment } from '../../support/window/desktop.ts';
import { expect, readDesktop, test } from '../fixtures.ts';

test.setTimeout(150_000);

/** Evaluates an expression in the app's main process, where `electron` is the module. */
type Evaluate = <T>(expression: string) => Promise<T>;

/** Connects to the inspector whose URL the process prints. Not through Playwright, which makes every page visible. */
async function inspect(child: ChildProcess): Promise<Evaluate> {
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.once('exit', () => reject(new Error(`The app ended.\n${printed}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /Debugger listening on (ws:\S+)/.exec(printed)?.[1];
      if (found) resolve(found);
    });
  });
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
  };
  let count = 0;
  return async <T>(expression: string) => {
    count += 1;
    const id = count;
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      const params = { expression, awaitPromise: true, returnByValue: true };
      socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
    });
    if (answer.result?.exceptionDetails) throw new Error(JSON.stringify(answer.result.exceptionDetails));
    return answer.result?.result?.value as T;
  };
}

interface Answer {
  id: number;
  result?: { result?: { value?: unknown }; exceptionDetails?: unknown };
}

/** Source of an entry that runs the app's own entry and exposes Electron to the inspector. */
const toEntry = (entry: string) =>
  `import * as electron from 'electron'; globalThis.electron = electron; await import(${JSON.stringify(pathToFileURL(entry).href)});`;

const WINDOW = `electron.BrowserWindow.getAllWindows()[0]`;
const STAGE = `${WINDOW}.webContents.mainFrame.framesInSubtree.find(({ url }) => url.startsWith('http://stage-'))`;
const COUNT_FRAMES = `(() => {
  window.drawn = 0;
  const draw = () => { window.drawn += 1; requestAnimationFrame(draw); };
  draw();
  return true;
})()`;

const PLAY_MUSIC = `(async () => {
  window.music = new Audio('game/bgm/before-the-rain-stops.wav');
  window.music.loop = true;
  await window.music.play();
  window.mixer = new AudioContext();
  await window.mixer.resume();
  return true;
})()`;

test('pauses the stage and its sound while the window is hidden', async () => {
  process.umask(0);
  const home = await mkdtemp(join(tmpdir(), 'webgal-agent-hidden-'));
  const game = join(home, 'game');
  await copySample(game);
  handToDesktopUser(home);
  const { program, out, switches } = readDesktop();
  const entry = join(home, 'entry.mjs');
  await writeFile(entry, toEntry(join(out, 'main', 'electron.js')));
  await writeFile(join(home, 'package.json'), JSON.stringify({ name: 'hidden', version: '0.0.0' }));
  const child = spawn(program, ['--inspect=0', entry, ...switches, '--project', game], {
    env: {
      ...process.env,
      ...toAppEnvironment(home),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    const evaluate = await inspect(child);
    const inStage = <T>(code: string) => evaluate<T>(`${STAGE}.executeJavaScript(${JSON.stringify(code)})`);
    await expect
      .poll(() => evaluate(`Boolean(globalThis.electron && ${WINDOW} && ${STAGE})`), { timeout: 60_000 })
      .toBe(true);
    await expect.poll(() => inStage('document.readyState'), { timeout: 60_000 }).toBe('complete');
    await inStage(COUNT_FRAMES);
    const drawn = () => inStage<number>('window.drawn');
    const growth = async () => {
      const before = await drawn();
      await new Promise((done) => setTimeout(done, 1_500));
      return (await drawn()) - before;
    };
    await expect.poll(growth).toBeGreaterThan(0);
    await inStage(PLAY_MUSIC);
    const played = () => inStage<number>('window.music.currentTime');
    await expect.poll(played).toBeGreaterThan(0);
    // A window cannot be minimised without a window manager, which a test display has not.
    await evaluate(`${WINDOW}.hide()`);
    await expect.poll(() => inStage('document.visibilityState')).toBe('hidden');
    expect(await growth()).toBe(0);
    expect(await inStage('window.music.paused')).toBe(true);
    await expect.poll(() => inStage('window.mixer.state')).toBe('suspended');
    const stoppedAt = await played();
    await evaluate(`${WINDOW}.showInactive()`);
    await expect.poll(growth).toBeGreaterThan(0);
    await expect.poll(played).toBeGreaterThan(stoppedAt);
    await expect.poll(() => inStage('window.mixer.state')).toBe('running');
  } finally {
    child.kill('SIGKILL');
    await exited;
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
