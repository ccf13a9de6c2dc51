import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ViewerResult } from '../../../shared/model/viewer.ts';
import type { ViewerCall } from '../../core/ports/viewer/viewer-door.ts';
import { type DoorFile, VIEWER_PATH } from './door-file.ts';
import { createRemoteViewer } from './remote-viewer.ts';
import { createViewerDoor } from './viewer-door.ts';

const GAME = '/games/rain';
let data: string;
let called: ViewerCall[];
let door: { close(): Promise<void> };
let file: DoorFile;

beforeEach(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'viewer-door-'));
  called = [];
  door = await createViewerDoor({ data, game: GAME }).open(async (call): Promise<ViewerResult> => {
    called.push(call);
    return { success: true, data: { file: 'game/scene/start.txt' } };
  });
  const [name = ''] = await readdir(path.join(data, 'viewer'));
  file = JSON.parse(await readFile(path.join(data, 'viewer', name), 'utf8'));
});
afterEach(async () => {
  await door.close();
  await rm(data, { recursive: true });
});

interface Sent {
  headers?: Record<string, string | undefined>;
  body?: string;
  path?: string;
  method?: string;
}

/** Sends a request with exactly these headers; `fetch` would set some of its own. */
function post({
  headers = {},
  body = '{"actionId":"describe-view"}',
  path: url = VIEWER_PATH,
  method = 'POST',
}: Sent = {}) {
  const all = {
    host: `127.0.0.1:${file.port}`,
    authorization: `Bearer ${file.token}`,
    'content-type': 'application/json',
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = send(
      { host: '127.0.0.1', port: file.port, path: url, method, headers: sent, setHost: false },
      (response) => {
        let text = '';
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

describe('the door of the window', () => {
  it('passes a call with its token on and answers with the result', async () => {
    expect(await post()).toEqual({ status: 200, text: '{"success":true,"data":{"file":"game/scene/start.txt"}}' });
    expect(called).toEqual([{ actionId: 'describe-view', params: {} }]);
  });

  it.each<[string, Sent, number]>([
    ['no token', { headers: { authorization: undefined } }, 401],
    ['a wrong token', { headers: { authorization: `Bearer ${'x'.repeat(43)}` } }, 401],
    ['a cookie instead of a token', { headers: { authorization: undefined, cookie: 'session=1' } }, 401],
    ['a page of the app', { headers: { origin: 'http://127.0.0.1:1' } }, 403],
    ['its own origin', { headers: { origin: 'null' } }, 403],
    ['a name that was bound to this address', { headers: { host: 'game.example' } }, 403],
    ['localhost with the port', { headers: { host: 'localhost:80' } }, 403],
    ['no host', { headers: { host: '' } }, 403],
    ['another path', { path: '/call/settings.read' }, 404],
    ['the path with a query', { path: `${VIEWER_PATH}?token=1` }, 404],
    ['GET', { method: 'GET' }, 405],
    ['OPTIONS', { method: 'OPTIONS' }, 405],
    ['a form', { headers: { 'content-type': 'text/plain' } }, 415],
    ['no JSON', { body: 'describe-view' }, 400],
    ['unknown fields', { body: '{"actionId":"describe-view","run":1}' }, 400],
    ['a list', { body: '[]' }, 400],
    ['a big body', { body: JSON.stringify({ actionId: 'x', params: { a: 'x'.repeat(20_000) } }) }, 413],
  ])('refuses %s', async (_, sent, status) => {
    const answered = await post(sent);
    expect(answered.status).toBe(status);
    expect(answered.text).not.toContain(file.token);
    expect(called).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('keeps its token in a file of the user alone', async () => {
    const [name = ''] = await readdir(path.join(data, 'viewer'));
    expect((await stat(path.join(data, 'viewer', name))).mode & 0o777).toBe(0o600);
    expect((await stat(path.join(data, 'viewer'))).mode & 0o777).toBe(0o700);
  });
});

describe('the window for another program', () => {
  const signal = new AbortController().signal;

  it('is found for the same game only, and gone when the app closes it', async () => {
    const viewer = createRemoteViewer({ data, game: GAME });
    expect([viewer.isThere(), createRemoteViewer({ data, game: '/games/snow' }).isThere()]).toEqual([true, false]);
    expect(await viewer.act('navigate-to', { scene: 'game/scene/start.txt' }, signal)).toMatchObject({ success: true });
    expect(called).toEqual([{ actionId: 'navigate-to', params: { scene: 'game/scene/start.txt' } }]);
    await door.close();
    expect(viewer.isThere()).toBe(false);
    await expect(viewer.act('describe-view', {}, signal)).rejects.toMatchObject({ code: 'E_UNSUPPORTED' });
  });

  it('ignores the files of ended apps and damaged ones, and the next app removes them', async () => {
    const folder = path.join(data, 'viewer');
    // The largest process id of Linux is 4 million.
    await writeFile(
      path.join(folder, '99999999-1.json'),
      JSON.stringify({ ...file, game: '/games/snow', process: 99_999_999 }),
    );
    await writeFile(path.join(folder, '1-2.json'), '{');
    expect(createRemoteViewer({ data, game: '/games/snow' }).isThere()).toBe(false);
    const other = await createViewerDoor({ data, game: '/games/snow' }).open(async () => ({ success: true }));
    expect((await readdir(folder)).length).toBe(2);
    await other.close();
  });
});
