import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../../../tests/support/window/browser.ts';
import type { LocalBrowser } from '../../core/ports/local-browser.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createHeadlessBrowser } from './headless-browser.ts';
import { createScreenshotFolder } from './screenshot-folder.ts';

/** An address of this machine that is not loopback: a server there stands for the internet. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

describe.skipIf(outside === undefined)('a real browser (skipped where the machine has only loopback addresses)', () => {
  let server: Server;
  let world: ReturnType<typeof createSocket>;
  let base: string;
  let away: string;
  let root: string;
  let browser: LocalBrowser;
  const reached: string[] = [];
  /** Called when the page without an answer is requested. */
  let neverAsked = () => {};
  const { signal } = new AbortController();

  const create = async (timeout: number) =>
    createHeadlessBrowser({
      environment: process.env,
      screenshots: createScreenshotFolder(createAgentFolder(root)),
      program: await findBrowser(),
      timeout,
    });

  beforeAll(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'browser-')));
    world = createSocket((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        reached.push(bytes.toString().split('\r\n')[0] ?? '');
        socket.end('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-length: 5\r\n\r\nWORLD');
      });
    });
    await new Promise<void>((resolve) => world.listen(0, '0.0.0.0', resolve));
    const port = (world.address() as AddressInfo).port;
    away = `${outside}:${port}`;
    const pages: Record<string, string> = {
      '/': '<title>Home</title><button id="go" onclick="document.title=\'Clicked\'">Go</button><p>Hi',
      '/leaky': `<title>Leaky</title><img src="http://${away}/img"><script src="http://${away}/script"></script>
        <link rel="dns-prefetch" href="//${outside}"><iframe src="http://${away}/frame"></iframe>
        <iframe src="file:///etc/passwd"></iframe><iframe src="/redirect"></iframe>
        <script>fetch('http://${away}/fetch').catch(() => {}); fetch('/redirect').catch(() => {});
        navigator.sendBeacon('http://${away}/beacon'); new WebSocket('ws://${away}/socket');
        const other = window.open('http://${away}/popup'); navigator.serviceWorker?.register('/worker.js').catch(() => {});
        new Worker(URL.createObjectURL(new Blob(["fetch('http://${away}/worker').catch(()=>{})"])));
        try { const peer = new RTCPeerConnection({iceServers:[{urls:'stun:${away}'}]}); peer.createDataChannel('x'); } catch {}
        fetch('http://2130706433:1/').catch(() => {});</script>`,
      '/flood': `<title>Flood</title><button id="flood" onclick="console.dir('\\u0001'.repeat(120e6))">Flood</button>`,
      '/leave': `<a id="out" href="http://${away}/left">out</a><a id="file" href="file:///etc/passwd">file</a>
        <a id="save" href="data:application/zip,x" download="x.zip">save</a><script>throw new Error('broken page')</script>`,
    };
    server = createServer((request, response) => {
      if (request.url === '/redirect') return response.writeHead(302, { location: `http://${away}/redirected` }).end();
      if (request.url === '/never') return void neverAsked();
      const body = pages[request.url ?? ''];
      return response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await create(30_000);
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
    world.close();
    await rm(root, { recursive: true });
  });

  test('opens, clicks and saves a screenshot in the app’s own folder', async () => {
    await expect(browser.click('#go', signal)).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
    expect(await browser.open(`${base}/`, signal)).toEqual({ url: `${base}/`, title: 'Home', problems: [] });
    expect(await browser.click('#go', signal)).toEqual({ url: `${base}/`, title: 'Clicked', problems: [] });
    expect(await browser.screenshot('one.png', signal)).toEqual({ path: '.webgal_agent/screenshots/one.png' });
    const picture = await readFile(path.join(root, '.webgal_agent/screenshots/one.png'));
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    await expect(browser.click('>>>[', signal)).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
  }, 60_000);

  test('blocks every request of a page to another machine', async () => {
    reached.length = 0;
    const shown = await browser.open(`${base}/leaky`, signal);
    expect(shown.title).toBe('Leaky');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(reached).toEqual([]);
    expect(shown.problems.join('\n')).toContain(`refused: http://${away}/img`);
    for (const url of [
      `http://${away}/`,
      'http://localhost@evil.com',
      'file:///etc/passwd',
      'view-source:http://localhost/',
    ])
      await expect(browser.open(url, signal)).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
    await expect(browser.open(`${base}/redirect`, signal)).rejects.toMatchObject({ code: 'E_PREVIEW_FAIL' });
    await browser.open(`${base}/leave`, signal);
    for (const link of ['#out', '#file', '#save']) {
      const after = await browser.click(link, signal).catch((error: { code?: string }) => error.code);
      expect(['E_POLICY_VIOLATION', `${base}/leave`]).toContain(typeof after === 'object' ? after.url : after);
      await browser.open(`${base}/leave`, signal);
    }
    expect(reached).toEqual([]);
    // The address is reachable without the restrictions.
    await fetch(`http://${away}/`);
    expect(reached).toEqual(['GET / HTTP/1.1']);
  }, 120_000);

  test('reports an address without an answer, a late answer, and Stop', async () => {
    await expect(browser.open('http://127.0.0.1:1/', signal)).rejects.toMatchObject({ code: 'E_PREVIEW_FAIL' });
    const stop = new AbortController();
    const opening = browser.open(`${base}/never`, stop.signal);
    neverAsked = () => stop.abort();
    await expect(opening).rejects.toMatchObject({ code: 'E_TIMEOUT' });
    // The cancelled browser is gone; the next page opens in a new one.
    expect((await browser.open(`${base}/leave`, signal)).problems).toContain('broken page');
    const hasty = await create(1000);
    await hasty.open(`${base}/`, signal);
    await expect(hasty.click('#nothing', signal)).rejects.toMatchObject({ code: 'E_TIMEOUT' });
    await expect(hasty.open(`${base}/never`, signal)).rejects.toMatchObject({ code: 'E_TIMEOUT' });
    await hasty.close();
    await expect(hasty.open(`${base}/`, signal)).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  }, 60_000);

  test('ends alone where a page says more than the app can hold', async () => {
    // Making the text takes half a minute on a busy machine.
    const patient = await create(100_000);
    await patient.open(`${base}/flood`, signal);
    const flooding = patient.click('#flood', signal).then(() => patient.click('#nothing', signal));
    await expect(flooding).rejects.toMatchObject({ code: 'E_TIMEOUT', reason: 'browser.ended' });
    await expect(patient.screenshot('none.png', signal)).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
    expect((await patient.open(`${base}/`, signal)).title).toBe('Home');
    await patient.close();
  }, 120_000);
});

test('explains what to do on a computer without a browser', async () => {
  const none = createHeadlessBrowser({
    environment: { WEBGAL_AGENT_BROWSER: '/nowhere/chrome' },
    screenshots: { save: async () => '' },
  });
  const opening = none.open('http://localhost:1/', new AbortController().signal);
  await expect(opening).rejects.toMatchObject({ code: 'E_UNSUPPORTED', hint: expect.stringContaining('Chrome') });
  await none.close();
});
