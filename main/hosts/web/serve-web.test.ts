import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../core/app.ts';
import { CONTENT_SECURITY_POLICY } from '../page/page-headers.ts';
import { serveWeb, type WebHost } from './serve-web.ts';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

let folder: string;
let host: WebHost;
let listeners: Set<(event: string, payload: unknown) => void>;
let calls: [string, unknown][];

/** Stands in for the application, which the contract suite tests through this host. */
function createEcho(): App {
  listeners = new Set();
  calls = [];
  return {
    async call(method, input) {
      calls.push([method, input]);
      return { ok: true, value: input };
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: async () => {},
  };
}

/** A request as raw as an attacker's: any header, `Host` included. */
function ask(path: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const sent = request({ host: '127.0.0.1', port: host.port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const origin = () => `http://127.0.0.1:${host.port}`;
const launchPath = () => host.url.slice(origin().length);

async function signIn(): Promise<string> {
  const { headers } = await ask(launchPath());
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

function post(cookie: string, headers: Record<string, string> = {}, body = '{"a":1}') {
  return ask('/call/app.info', {
    method: 'POST',
    headers: { cookie, origin: origin(), 'content-type': 'application/json', ...headers },
    body,
  });
}

/** Opens the event stream and gathers what arrives. */
function listen(cookie: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; text: () => string; ended: Promise<void>; stop: () => void }>(
    (resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: host.port, path: '/events', headers: { cookie, ...headers }, agent: false },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          const ended = new Promise<void>((done) => response.once('close', () => done()));
          resolve({ status: response.statusCode ?? 0, text: () => text, ended, stop: () => sent.destroy() });
        },
      );
      sent.on('error', reject);
      sent.end();
    },
  );
}

const until = async (isTrue: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 200 && !isTrue(); tries += 1) await new Promise((done) => setTimeout(done, 10));
  expect(isTrue()).toBe(true);
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-host-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(folder, 'assets', 'index-DdE2xYz9.js'), 'export {};');
  await writeFile(join(folder, 'logo.svg'), '<svg/>');
  host = await serveWeb(createEcho(), { port: 0, pageFolder: folder });
});

afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

it.each(['//', '//[', '/%'])('lives through an address that is none: %s', async (path) => {
  const cookie = await signIn();
  expect((await ask(path, { headers: { cookie } })).status).toBeGreaterThanOrEqual(400);
  expect((await ask('/', { headers: { cookie } })).status).toBe(200);
});

describe('the launch link', () => {
  it('is traded for a cookie that scripts cannot read and other sites cannot send, and leaves the address bar', async () => {
    const { status, headers } = await ask(launchPath());
    expect({ status, location: headers.location, cookies: headers['set-cookie'] }).toEqual({
      status: 303,
      location: '/',
      cookies: [
        expect.stringMatching(new RegExp(`^webgal_agent_${host.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`)),
      ],
    });
  });

  it('works once for a stranger, and leads her own browser to the page again', async () => {
    const cookie = await signIn();
    const stranger = await ask(launchPath());
    const herself = await ask(launchPath(), { headers: { cookie } });
    expect([stranger.status, stranger.headers['set-cookie'], herself.status]).toEqual([401, undefined, 303]);
  });

  it('survives a reload and a second tab through the cookie', async () => {
    const cookie = await signIn();
    const pages = await Promise.all([ask('/', { headers: { cookie } }), ask('/', { headers: { cookie } })]);
    expect(pages.map(({ status, body }) => [status, body])).toEqual([
      [200, '<!doctype html><title>page</title>'],
      [200, '<!doctype html><title>page</title>'],
    ]);
  });

  it.each(['', 'webgal_agent=1', 'other=1; webgal_agent_1=x'])(
    'is what a page without it is told about (%j)',
    async (cookie) => {
      const { status, headers, body } = await ask('/', { headers: { cookie } });
      expect([status, headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
      expect(body).toMatch(/启动时给出的链接[\s\S]*from the link/);
    },
  );
});

describe('what is refused', () => {
  it.each(['localhost', 'evil.example', '127.0.0.1', '[::1]'])('another name for this host: %s', async (name) => {
    const cookie = await signIn();
    const { status } = await ask('/', { headers: { cookie, host: name } });
    expect(status).toBe(403);
  });

  it.each([
    ['no cookie', { cookie: '' }, 401],
    ['a wrong cookie', { cookie: 'webgal_agent_1=aaaa' }, 401],
    ['the stage, on another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    ['a site', { origin: 'https://evil.example' }, 403],
    ['a form', { 'content-type': 'text/plain' }, 415],
  ])('a call from %s', async (_name, headers, status) => {
    const answer = await post(await signIn(), headers as Record<string, string>);
    expect([answer.status, JSON.parse(answer.body).ok, calls]).toEqual([status, false, []]);
  });

  it('a call that does not say where it comes from', async () => {
    const cookie = await signIn();
    const headers = { cookie, 'content-type': 'application/json' };
    const { status } = await ask('/call/app.info', { method: 'POST', headers, body: '{}' });
    expect([status, calls]).toEqual([403, []]);
  });

  it.each([
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
  ])('the news to %j', async (headers) => {
    const { status } = await listen(await signIn(), headers as Record<string, string>);
    expect([status, listeners.size]).toEqual([403, 0]);
  });

  it.each(['{', '', 'undefined'])('a body that is no JSON: %j', async (body) => {
    const answer = await post(await signIn(), {}, body);
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, 'E_BAD_ARGS']);
  });

  it('a body too large, without reading it', async () => {
    const answer = await post(await signIn(), { 'content-length': String(65 * 1024 * 1024) }, '{}').catch(() => null);
    expect([answer === null || answer.status === 413, calls]).toEqual([true, []]);
  });

  it.each(['/assets/../index.html.bak', '/%2e%2e/secret', '/..%2fsecret', '/assets', '/nowhere.js', '//etc/passwd'])(
    'a file that is not of the bundle: %s',
    async (path) => {
      const { status } = await ask(path, { headers: { cookie: await signIn() } });
      expect(status).toBe(404);
    },
  );
});

describe('what is served', () => {
  it('carries a call and its reply', async () => {
    const { status, body } = await post(await signIn());
    expect([status, JSON.parse(body), calls]).toEqual([200, { ok: true, value: { a: 1 } }, [['app.info', { a: 1 }]]]);
  });

  it('tells every open page the news, and forgets pages that are gone', async () => {
    const cookie = await signIn();
    const [first, second] = await Promise.all([listen(cookie), listen(cookie, { 'sec-fetch-site': 'same-origin' })]);
    await until(() => listeners.size === 2);
    for (const listener of listeners) listener('history.changed', { text: '行\n二' });
    const news = 'data: {"event":"history.changed","payload":{"text":"行\\n二"}}\n\n';
    await until(() => first.text().includes('data:') && second.text().includes('data:'));
    expect([first.text(), second.text()]).toEqual([`retry: 1000\n\n${news}`, `retry: 1000\n\n${news}`]);
    first.stop();
    await until(() => listeners.size === 1);
    second.stop();
    await until(() => listeners.size === 0);
  });

  it('lets the browser keep what is named by its hash, and ask again for the rest', async () => {
    const headers = { cookie: await signIn() };
    const answers = await Promise.all(
      ['/', '/assets/index-DdE2xYz9.js', '/logo.svg'].map((path) => ask(path, { headers })),
    );
    expect(answers.map((answer) => [answer.headers['content-type'], answer.headers['cache-control']])).toEqual([
      ['text/html; charset=utf-8', 'no-cache'],
      ['text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
      ['image/svg+xml; charset=utf-8', 'no-cache'],
    ]);
  });

  it('comes with the headers that keep the page to itself, refusals included', async () => {
    const answers = [await ask('/'), await ask('/', { headers: { cookie: await signIn() } }), await post('')];
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    }
    expect(CONTENT_SECURITY_POLICY).toMatch(/(^|; )script-src 'self'(;|$)/);
  });
});

describe('closing', () => {
  it('ends the streams and answers nobody any more', async () => {
    const stream = await listen(await signIn());
    await host.close();
    await stream.ended;
    expect(listeners.size).toBe(0);
    await expect(ask('/')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('says so when the port is taken', async () => {
    await expect(serveWeb(createEcho(), { port: host.port, pageFolder: folder })).rejects.toMatchObject({
      code: 'E_IO',
      reason: 'host.portTaken',
      details: { port: host.port },
    });
  });
});
