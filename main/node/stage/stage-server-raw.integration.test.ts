import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCRIPT_PRELUDE } from './scripts/stage-connections-script.ts';
import { createStageServer, type OpenStage, type StageServer } from './stage-server.ts';

const GIGABYTE = 1024 ** 3;
const hasSecondAddress = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
const SECRET = 'A:unsaved words;';

let folder: string;
let server: StageServer;
let stage: OpenStage;
let host: string;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stage-raw-'));
  await mkdir(join(folder, 'engine', 'lib'), { recursive: true });
  await mkdir(join(folder, 'game/game/scene'), { recursive: true });
  await mkdir(join(folder, 'game/lib'), { recursive: true });
  await writeFile(join(folder, 'engine/index.html'), '<head></head>');
  await writeFile(join(folder, 'game/lib/live2d.min.js'), 'steal()');
  const film = await open(join(folder, 'game/game/film.mp4'), 'w');
  await film.truncate(3 * GIGABYTE);
  await film.write('the end', 3 * GIGABYTE - 7);
  await film.close();
  server = createStageServer({ engineDirectory: join(folder, 'engine') });
  stage = await server.open({
    root: join(folder, 'game'),
    overlay: (path) => (path === 'game/scene/start.txt' ? SECRET : undefined),
    onMissing: () => undefined,
    onUpgrade: (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  });
  ({ host } = new URL(stage.origin));
  port = Number(host.split(':')[1]);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Sends raw bytes; resolves to the whole answer once the connection ends or stays silent for `quiet` ms. */
function send(bytes: string, address = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, address, () =>
      socket.write(bytes.replaceAll('HOST', host).replaceAll('PORT', `${port}`)),
    );
    // The first byte may be late on a busy machine.
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      socket.setTimeout(500);
      answer += chunk.toString('latin1');
      if (answer.length > 200_000) socket.destroy();
    });
    socket.on('error', (error) => (answer === '' ? reject(error) : undefined));
    socket.on('close', () => resolve(answer));
  });
}

const SCENE = '/game/scene/start.txt';

it('answers a plain request by its own name, on both addresses', async () => {
  const request = `GET ${SCENE} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n`;
  expect(await send(request)).toContain(SECRET);
  if (hasSecondAddress) expect(await send(request, '::1')).toContain(SECRET);
});

// Concurrent: a refusal may be a connection that stays open and silent, for which `send` waits.
it.concurrent.each([
  ['no host', `GET ${SCENE} HTTP/1.1\r\n\r\n`],
  ['HTTP/1.0 without a host', `GET ${SCENE} HTTP/1.0\r\n\r\n`],
  ['HTTP/0.9', `GET ${SCENE}\r\n\r\n`],
  ['an address', `GET ${SCENE} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n`],
  ['the other address', `GET ${SCENE} HTTP/1.1\r\nHost: [::1]:PORT\r\n\r\n`],
  ['another name below localhost', `GET ${SCENE} HTTP/1.1\r\nHost: evil.localhost:PORT\r\n\r\n`],
  ['the name with a dot', `GET ${SCENE} HTTP/1.1\r\nHost: ${'HOST'.replace(':', '.:')}.\r\n\r\n`],
  ['the name without the port', `GET ${SCENE} HTTP/1.1\r\nHost: stage.localhost\r\n\r\n`],
  ['a foreign target and a foreign host', `GET http://HOST${SCENE} HTTP/1.1\r\nHost: evil.example\r\n\r\n`],
  ['a foreign host before the own one', `GET ${SCENE} HTTP/1.1\r\nHost: evil.example\r\nHost: HOST\r\n\r\n`],
  ['two hosts in one', `GET ${SCENE} HTTP/1.1\r\nHost: HOST, evil.example\r\n\r\n`],
  ['a host on two lines', `GET ${SCENE} HTTP/1.1\r\nHost: evil\r\n HOST\r\n\r\n`],
  ['a tunnel', `CONNECT HOST HTTP/1.1\r\nHost: HOST\r\n\r\n`],
  ['a tunnel elsewhere', `CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n`],
  ['a trace', `TRACE ${SCENE} HTTP/1.1\r\nHost: HOST\r\n\r\n`],
  ['a post', `POST ${SCENE} HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\n\r\nx`],
  ['a preflight', `OPTIONS ${SCENE} HTTP/1.1\r\nHost: HOST\r\nAccess-Control-Request-Method: GET\r\n\r\n`],
  ['two lengths', `GET ${SCENE} HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx`],
  [
    'a length and chunks',
    `GET ${SCENE} HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a bare line feed in a header', `GET ${SCENE} HTTP/1.1\r\nHost: HOST\nX: y\r\n\r\n`],
  ['a space before the colon', `GET ${SCENE} HTTP/1.1\r\nHost : HOST\r\n\r\n`],
  ['headers of a megabyte', `GET ${SCENE} HTTP/1.1\r\nHost: HOST\r\nX: ${'x'.repeat(1024 * 1024)}\r\n\r\n`],
  ['ten thousand headers', `GET ${SCENE} HTTP/1.1\r\nHost: HOST\r\n${'X: y\r\n'.repeat(10_000)}\r\n`],
  [
    'a socket from elsewhere',
    `GET /api/webgalsync HTTP/1.1\r\nHost: HOST\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  ],
  [
    'a socket from nowhere',
    `GET /api/webgalsync HTTP/1.1\r\nHost: HOST\r\nOrigin: null\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  ],
  ['a worker', `GET /lib/live2d.min.js HTTP/1.1\r\nHost: HOST\r\nSec-Fetch-Dest: worker\r\n\r\n`],
  ['a shared worker', `GET /lib/live2d.min.js HTTP/1.1\r\nHost: HOST\r\nSec-Fetch-Dest: sharedworker\r\n\r\n`],
  ['a service worker', `GET /lib/live2d.min.js HTTP/1.1\r\nHost: HOST\r\nService-Worker: script\r\n\r\n`],
  ['a worklet for sound', `GET /lib/live2d.min.js HTTP/1.1\r\nHost: HOST\r\nSec-Fetch-Dest: audioworklet\r\n\r\n`],
  ['a worklet for drawing', `GET /lib/live2d.min.js HTTP/1.1\r\nHost: HOST\r\nSec-Fetch-Dest: paintworklet\r\n\r\n`],
])('refuses %s', async (_what, bytes) => {
  const answer = await send(bytes).catch(() => '');
  expect(answer).not.toContain(SECRET);
  expect(answer).not.toContain('steal()');
  expect(answer).not.toMatch(/^HTTP\/1\.1 (101|2)/);
});

it('does not parse a body as a second request', async () => {
  const inner = `GET ${SCENE} HTTP/1.1\r\nHost: HOST\r\n\r\n`;
  const length = inner.replaceAll('HOST', host).length;
  const answer = await send(`GET /none HTTP/1.1\r\nHost: HOST\r\nContent-Length: ${length}\r\n\r\n${inner}`);
  expect(answer).not.toContain(SECRET);
});

it.concurrent.each([
  ['the last bytes of three gigabytes', 'bytes=-7', /^HTTP\/1\.1 206 [\s\S]*the end$/],
  ['a place behind two gigabytes', `bytes=${3 * GIGABYTE - 7}-`, /^HTTP\/1\.1 206 [\s\S]*the end$/],
  ['a place behind the end', `bytes=${4 * GIGABYTE}-`, /^HTTP\/1\.1 416 /],
  ['a number that is none', `bytes=${'9'.repeat(400)}-`, /^HTTP\/1\.1 200 /],
  ['thousands of ranges', `bytes=${'0-1,'.repeat(3000)}0-1`, /^HTTP\/1\.1 200 /],
  ['a range turned round', 'bytes=7-1', /^HTTP\/1\.1 200 /],
])('serves %s of a film without reading it whole', async (_what, range, expected) => {
  const method = expected.source.includes('206') ? 'GET' : 'HEAD';
  const answer = await send(
    `${method} /game/film.mp4 HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nRange: ${range}\r\n\r\n`,
  );
  expect(answer).toMatch(expected);
});

it('puts its prelude before each script of a game', async () => {
  const answer = await send('GET /lib/live2d.min.js HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(new RegExp(`${SCRIPT_PRELUDE.replace(/[.?()]/g, '\\$&')}steal\\(\\)$`));
});

it('sends a script whole, also where a part is requested, and without reading it into memory', async () => {
  const script = await open(join(folder, 'game/lib/huge.js'), 'w');
  await script.truncate(GIGABYTE);
  await script.close();
  const before = process.memoryUsage().arrayBuffers;
  const answer = await send('GET /lib/huge.js HTTP/1.1\r\nHost: HOST\r\nRange: bytes=7-9\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain(`\r\n\r\n${SCRIPT_PRELUDE}\0\0`);
  expect(answer).toMatch(new RegExp(`content-length: ${GIGABYTE + SCRIPT_PRELUDE.length}\r\n`, 'i'));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(GIGABYTE / 4);
});

it.runIf(hasSecondAddress)(
  'binds its port on both addresses, so that no other program can use one of them',
  async () => {
    const other = createServer();
    const taken = new Promise((_, reject) => other.on('error', reject).listen(port, '::1'));
    await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' });
  },
);

it('continues while many connections send no data', async () => {
  const idle = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  expect(await send(`GET ${SCENE} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n`)).toContain(SECRET);
  for (const socket of idle) socket.destroy();
});
