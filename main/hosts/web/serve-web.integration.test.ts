import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { App } from '../../core/app.ts';
import { toContentSecurityPolicy } from '../page/page-headers.ts';
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

/** Creates a fake application. The contract suite tests the real one through this host. */
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
    begin: () => {},
    emit: () => {},
    dispose: async () => {},
  };
}

/** Sends a raw request with any headers, `Host` included. */
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
const STAGE_SOURCE = 'http://*.localhost:4711';
const launchToken = () => host.url.split('#launch=')[1] ?? '';

const launch = (token = launchToken(), headers: Record<string, string> = {}) =>
  ask('/launch', { method: 'POST', headers: { origin: origin(), ...headers }, body: token });

async function signIn(): Promise<string> {
  return (JSON.parse((await launch()).body) as { session: string }).session;
}

function post(session: string, headers: Record<string, string> = {}, body = '{"a":1}') {
  return ask('/call/app.info', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${session}`,
      origin: origin(),
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });
}

/** Opens the event stream and collects its lines. */
function listen(session: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; text: () => string; ended: Promise<void>; stop: () => void }>(
    (resolve, reject) => {
      const sent = request(
        {
          ...{ host: '127.0.0.1', port: host.port, path: '/events', method: 'POST', agent: false },
          headers: { authorization: `Bearer ${session}`, origin: origin(), ...headers },
        },
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

/** Sends raw bytes; resolves to the answer once the connection ends or stays silent. */
function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(host.port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(500, () => socket.destroy());
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
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
  host = await serveWeb(createEcho(), { port: 0, pageFolder: folder, stageSource: STAGE_SOURCE });
});

afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

it.each(['//', '//[', '/%'])('answers the invalid address %s', async (path) => {
  expect((await ask(path)).status).toBeGreaterThanOrEqual(400);
  expect((await ask('/')).status).toBe(200);
});

describe('the launch link', () => {
  it('is exchanged for a session once and sets no cookie', async () => {
    const first = await launch();
    const second = await launch();
    expect([first.status, second.status, first.headers['set-cookie']]).toEqual([200, 401, undefined]);
    expect(JSON.parse(first.body)).toEqual({ session: expect.stringMatching(/^[\w-]{43}$/) });
  });

  it('is exchanged again only for the page that did so first', async () => {
    const first = await launch(`${launchToken()}.page`);
    const again = await launch(`${launchToken()}.page`);
    expect(again.body).toBe(first.body);
    for (const mark of ['.other', '.', '', '.page2']) {
      expect((await launch(launchToken() + mark)).status).toBe(401);
    }
  });

  it.each(['', 'x', '🌊'])('rejects the wrong token %j and stays valid', async (token) => {
    expect((await launch(token)).status).toBe(401);
    expect((await launch()).status).toBe(200);
  });

  it('rejects another origin and stays valid', async () => {
    expect((await launch(launchToken(), { origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await launch()).status).toBe(200);
  });
});

it('answers a browser whose cookie jar is filled by other programs on 127.0.0.1', async () => {
  const session = await signIn();
  const cookie = Array.from({ length: 180 }, (_, index) => `c${index}=${'x'.repeat(4000)}`).join('; ');
  expect((await post(session, { cookie })).status).toBe(200);
  expect((await ask('/', { headers: { cookie } })).status).toBe(200);
});

describe('rejects', () => {
  it.each(['localhost', 'evil.example', '127.0.0.1', '[::1]'])('another name for this host: %s', async (name) => {
    const { status } = await ask('/', { headers: { host: name } });
    expect(status).toBe(403);
  });

  it.each([
    ['a page without the session', { authorization: '' }, 401],
    ['a page with a wrong session', { authorization: 'Bearer aaaa' }, 401],
    ['the stage, on another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    ['a site', { origin: 'https://evil.example' }, 403],
    ['a form', { 'content-type': 'text/plain' }, 415],
  ])('a call from %s', async (_name, headers, status) => {
    const answer = await post(await signIn(), headers as Record<string, string>);
    expect([answer.status, JSON.parse(answer.body).ok, calls]).toEqual([status, false, []]);
  });

  it('a call without an origin', async () => {
    const headers = { authorization: `Bearer ${await signIn()}`, 'content-type': 'application/json' };
    const { status } = await ask('/call/app.info', { method: 'POST', headers, body: '{}' });
    expect([status, calls]).toEqual([403, []]);
  });

  it.each([
    [{ origin: 'http://127.0.0.1:1' }, 403],
    [{ origin: 'http://stage-1.localhost:4711' }, 403],
    [{ authorization: 'Bearer x' }, 401],
  ])('a subscription to events with %j', async (headers, expected) => {
    const { status } = await listen(await signIn(), headers as Record<string, string>);
    expect([status, listeners.size]).toEqual([expected, 0]);
  });

  it.each(['{', '', 'undefined'])('a body that is not JSON: %j', async (body) => {
    const answer = await post(await signIn(), {}, body);
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, 'E_BAD_ARGS']);
  });

  it('a body that is too large, without reading it', async () => {
    const answer = await post(await signIn(), { 'content-length': String(65 * 1024 * 1024) }, '{}').catch(() => null);
    expect([answer === null || answer.status === 413, calls]).toEqual([true, []]);
  });

  it.each(['/assets/../index.html.bak', '/%2e%2e/secret', '/..%2fsecret', '/assets', '/nowhere.js', '//etc/passwd'])(
    'a file outside the bundle: %s',
    async (path) => {
      const { status } = await ask(path);
      expect(status).toBe(404);
    },
  );
});

describe('raw requests', () => {
  const CALL = 'POST /call/app.info HTTP/1.1';
  /** The headers of an admitted call; `HOST`, `AUTH` and `LENGTH` are replaced. */
  const HEAD =
    'Host: HOST\r\nOrigin: http://HOST\r\nAuthorization: AUTH\r\nContent-Type: application/json\r\nConnection: close\r\n';
  const BODY = 'Content-Length: 2\r\n\r\n{}';
  const sendCall = async (text: string) => {
    const session = await signIn();
    const plain = text.replaceAll('HOST', `127.0.0.1:${host.port}`).replaceAll('PORT', `${host.port}`);
    return sendRaw(plain.replaceAll('AUTH', `Bearer ${session}`));
  };

  it('are answered when they are as a browser sends them', async () => {
    expect(await sendCall(`${CALL}\r\n${HEAD}${BODY}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(calls).toEqual([['app.info', {}]]);
  });

  const without = (name: string) => HEAD.replace(new RegExp(`${name}: [^\\r]*\\r\\n`), '');
  it.each([
    ['no host', `${CALL}\r\n${without('Host')}${BODY}`],
    ['HTTP/1.0 without a host', `${CALL.replace('1.1', '1.0')}\r\n${without('Host')}${BODY}`],
    ['a foreign host first', `${CALL}\r\nHost: evil.example\r\n${HEAD}${BODY}`],
    ['a name that resolves here', `${CALL}\r\nHost: rebound.example:PORT\r\n${without('Host')}${BODY}`],
    ['the host in upper case of another name', `${CALL}\r\nHost: LOCALHOST:PORT\r\n${without('Host')}${BODY}`],
    ['the host with a dot', `${CALL}\r\nHost: 127.0.0.1.:PORT\r\n${without('Host')}${BODY}`],
    ['the host as a number', `${CALL}\r\nHost: 2130706433:PORT\r\n${without('Host')}${BODY}`],
    ['the host with a user', `${CALL}\r\nHost: evil@HOST\r\n${without('Host')}${BODY}`],
    ['a foreign target and host', `POST http://HOST/call/app.info HTTP/1.1\r\nHost: evil\r\n${without('Host')}${BODY}`],
    ['two origins, the own first', `${CALL}\r\n${HEAD}Origin: https://evil.example\r\n${BODY}`],
    ['two origins, the own last', `${CALL}\r\nOrigin: https://evil.example\r\n${HEAD}${BODY}`],
    ['no origin', `${CALL}\r\n${without('Origin')}${BODY}`],
    ['an origin with a path', `${CALL}\r\n${without('Origin')}Origin: http://HOST/\r\n${BODY}`],
    ['a wrong session first', `${CALL}\r\nAuthorization: Bearer x\r\n${HEAD}${BODY}`],
    [
      'the session in the address',
      `POST /call/app.info?authorization=AUTH HTTP/1.1\r\n${without('Authorization')}${BODY}`,
    ],
    ['the session as a cookie', `${CALL}\r\nCookie: session=AUTH\r\n${without('Authorization')}${BODY}`],
    ['another method in a header', `GET /call/app.info HTTP/1.1\r\nX-HTTP-Method-Override: POST\r\n${HEAD}${BODY}`],
    ['another method in the address', `GET /call/app.info?_method=POST HTTP/1.1\r\n${HEAD}${BODY}`],
    ['put', `${CALL.replace('POST', 'PUT')}\r\n${HEAD}${BODY}`],
    ['a preflight', `${CALL.replace('POST', 'OPTIONS')}\r\n${HEAD}Access-Control-Request-Method: POST\r\n\r\n`],
    ['a tunnel', 'CONNECT HOST HTTP/1.1\r\nHost: HOST\r\n\r\n'],
    ['a socket', `GET /events HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['two lengths', `${CALL}\r\n${HEAD}Content-Length: 3\r\n${BODY}`],
    ['a length and chunks', `${CALL}\r\n${HEAD}Transfer-Encoding: chunked\r\n${BODY}`],
    ['a space before the colon', `${CALL}\r\n${HEAD}X : y\r\n${BODY}`],
    ['a header on two lines', `${CALL}\r\n${HEAD.replace('Origin: ', 'Origin:\r\n ')}${BODY}`],
    ['a bare line feed', `${CALL}\n${HEAD.replaceAll('\r\n', '\n')}${BODY}`],
    ['a null in a header', `${CALL}\r\n${HEAD}X: \0\r\n${BODY}`],
    ['headers of two megabytes', `${CALL}\r\n${HEAD}X: ${'x'.repeat(2 * 1024 * 1024)}\r\n${BODY}`],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['another protocol', '\x16\x03\x01\x02\x00'],
  ])('are refused with %s', async (_what, text) => {
    expect(await sendCall(text)).not.toMatch(/^HTTP\/1\.1 (1|2)/);
    expect(calls).toEqual([]);
    expect((await ask('/')).status).toBe(200);
  });

  it('are read once: a body is no second request', async () => {
    const inner = `${CALL}\r\n${HEAD}${BODY}`;
    const outer = `POST /nowhere HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nContent-Length: 2000\r\n\r\n${inner}`;
    await sendCall(outer);
    expect(calls).toEqual([]);
  });

  it.each(['Content-Length: 9', 'Transfer-Encoding: chunked'])(
    'that end too early write nothing (%s)',
    async (length) => {
      const written = vi.spyOn(console, 'error').mockReturnValue();
      for (const line of [CALL, 'POST /launch HTTP/1.1']) await sendCall(`${line}\r\n${HEAD}${length}\r\n\r\n5\r\n{`);
      expect((await ask('/')).status).toBe(200);
      expect([calls, written.mock.calls]).toEqual([[], []]);
      written.mockRestore();
    },
  );

  it('do not block others while they are slow or many', async () => {
    const slow = Array.from({ length: 600 }, () => connect(host.port, '127.0.0.1').on('error', () => undefined));
    for (const socket of slow.slice(0, 100)) socket.write('POST /launch HTTP/1.1\r\nHost: ');
    await until(() => slow.some(({ readyState }) => readyState === 'open'));
    expect((await ask('/')).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });
});

describe('the served app', () => {
  it('transports a call and its reply', async () => {
    const { status, body } = await post(await signIn());
    expect([status, JSON.parse(body), calls]).toEqual([200, { ok: true, value: { a: 1 } }, [['app.info', { a: 1 }]]]);
  });

  it('sends events to every open page and removes pages that disconnected', async () => {
    const session = await signIn();
    const [first, second] = await Promise.all([listen(session), listen(session)]);
    await until(() => listeners.size === 2);
    for (const listener of listeners) listener('history.changed', { text: '行\n二' });
    const news = '\n{"event":"history.changed","payload":{"text":"行\\n二"}}\n';
    await until(() => first.text().includes('event') && second.text().includes('event'));
    expect([first.text(), second.text()]).toEqual([news, news]);
    first.stop();
    await until(() => listeners.size === 1);
    second.stop();
    await until(() => listeners.size === 0);
  });

  it('lets the browser cache files with a hash in their name and revalidate the rest', async () => {
    const answers = await Promise.all(['/', '/assets/index-DdE2xYz9.js', '/logo.svg'].map((path) => ask(path)));
    expect(answers.map((answer) => [answer.headers['content-type'], answer.headers['cache-control']])).toEqual([
      ['text/html; charset=utf-8', 'no-cache'],
      ['text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
      ['image/svg+xml; charset=utf-8', 'no-cache'],
    ]);
  });

  it('sends the isolation headers with every response, refusals included', async () => {
    const answers = [await ask('/'), await ask('/nowhere'), await post('')];
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy': toContentSecurityPolicy(STAGE_SOURCE),
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    }
    expect(toContentSecurityPolicy(STAGE_SOURCE)).toMatch(/(^|; )script-src 'self'(;|$)/);
    expect(toContentSecurityPolicy(STAGE_SOURCE)).toContain(`frame-src ${STAGE_SOURCE};`);
  });
});

describe('closing', () => {
  it('ends the streams and stops answering', async () => {
    const stream = await listen(await signIn());
    await host.close();
    await stream.ended;
    expect(listeners.size).toBe(0);
    await expect(ask('/')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('reports a port that is in use', async () => {
    await expect(
      serveWeb(createEcho(), { port: host.port, pageFolder: folder, stageSource: STAGE_SOURCE }),
    ).rejects.toMatchObject({
      code: 'E_IO',
      reason: 'host.portTaken',
      details: { port: host.port },
    });
  });
});
