import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { findPort, installTerre, killTerre, readRequests } from '../../../tests/support/terre/install-terre.ts';
import { createStageLink } from '../stage/link/stage-link.ts';
import { createStageServer } from '../stage/stage-server.ts';
import { createTerreClient } from './terre-client.ts';
import { createTerre } from './terre-preview.ts';
import { createTerreProgram } from './terre-program.ts';

let base: string;
let root: string;
let server: Server | null = null;
let terre: ReturnType<typeof createTerre> | null = null;
let program: ReturnType<typeof createTerreProgram> | null = null;

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'terre-')));
  root = path.join(base, 'mine');
  await mkdir(path.join(root, 'game', 'scene'), { recursive: true });
});
afterEach(async () => {
  await terre?.close();
  await program?.stop();
  [terre, program] = [null, null];
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  server = null;
  await rm(base, { recursive: true, force: true });
});

const signal = () => new AbortController().signal;

// The stand-in is a script with a first line that only these systems read.
describe.skipIf(process.platform === 'win32')('the program Terre (a stand-in that answers as recorded)', () => {
  /** Installs the stand-in, with these games by name and real path. */
  async function install(games: Record<string, string>, preview = true) {
    const folder = path.join(base, 'home', 'WebGAL_Terre');
    await installTerre(folder, { games, preview, engine: path.join(base, 'engine') });
    const port = await findPort();
    const environment = {
      ...process.env,
      ...{ WEBGAL_PORT: String(port - 1), WEBGAL_TERRE: undefined, OPENAI_API_KEY: 'sk-1' },
    };
    const client = createTerreClient(environment);
    const folders = { home: path.join(base, 'home'), data: path.join(base, 'data') };
    program = createTerreProgram({ client, environment, folders, readChosen: async () => null });
    terre = createTerre({ root, client, program });
    return { terre, program, port, folder, requests: () => readRequests(folder) };
  }

  it('is started, shows the line, and ends with the app', async () => {
    await symlink(root, path.join(base, 'linked'), 'junction');
    const { terre, program, port, requests } = await install({
      other: base,
      'my game': path.join(base, 'linked', 'game'),
    });
    expect(await terre.hasGame(signal())).toBe(false);
    expect(await terre.show('ch 1.txt', 7, signal())).toEqual({
      url: `http://127.0.0.1:${port}/games/my%20game/#scene=ch%201.txt`,
      logs: ["Terre's preview stands at line 7 of ch 1.txt."],
    });
    expect(await terre.hasGame(signal())).toBe(true);
    const [start = '', ...lines] = await requests();
    // None of the app's keys, and its own folder.
    expect(start).toMatch(/^START true /);
    expect(start).not.toContain('OPENAI');
    const asked = new Set(lines.map((line) => line.replace(/"requestId":"[^"]*"/, '"requestId":"x"')));
    expect([...asked]).toEqual([
      'GET /api/test',
      'GET /api/manageGame/gameList',
      'GET /api/manageGame/readGameAssets/other/game',
      'GET /api/manageGame/readGameAssets/my game/game',
      'SOCKET webgal-editor-preview-sync.v1 {"kind":"request","type":"preview.command.sync-scene","requestId":"x","payload":{"sceneName":"ch 1.txt","sentenceId":7}}',
    ]);
    await program.stop();
    await expect(fetch(`http://127.0.0.1:${port}/api/test`)).rejects.toThrow();
  });

  it('acknowledges a jump without a preview, which is not said to be shown', async () => {
    const { terre } = await install({ mine: path.join(root, 'game') }, false);
    const { logs } = await terre.show('start.txt', 1, signal());
    expect(logs).toEqual([expect.stringContaining('did not report')]);
  });

  it('has the stage as one of its previews while that plays its page, and reports that it has gone', async () => {
    await mkdir(path.join(base, 'engine'));
    await writeFile(path.join(base, 'engine/index.html'), '<head></head>Terre’s engine');
    const { terre, program, folder } = await install({ 'my game': path.join(root, 'game') }, false);
    await program.start(signal());
    const stages = createStageServer({ engineDirectory: base });
    const link = createStageLink({ server: stages, root, findInTerre: terre.find });
    const events: string[] = [];
    link.on(({ kind }) => events.push(kind));
    link.serveEngine('terre');
    const { url } = await link.start();
    const { host, port } = new URL(url);
    const engine = new WebSocket(`ws://127.0.0.1:${port}/api/webgalsync`, ['webgal-editor-preview-sync.v1'], {
      headers: { origin: url, host },
    });
    const send = (message: object) => engine.send(JSON.stringify(message));
    engine.on('message', (data) => {
      const { type, payload } = JSON.parse(String(data)) as { type: string; payload: { sceneName: string } };
      if (type !== 'preview.command.sync-scene') return;
      const report = { ...payload, stageState: {} };
      send({ kind: 'event', type: 'stage.snapshot.updated', payload: report });
    });
    try {
      await new Promise((resolve) => engine.once('open', resolve));
      send({ kind: 'request', type: 'session.register-preview', requestId: '1', payload: {} });
      send({ kind: 'event', type: 'preview.ready.updated', payload: { ready: true } });
      await expect.poll(() => events).toContain('connected');
      const { logs } = await terre.show('ch 1.txt', 7, signal());
      expect(logs).toEqual(["Terre's preview stands at line 7 of ch 1.txt."]);
      expect(events).toContain('led');
      await killTerre(folder);
      await expect.poll(() => events).toContain('terre-lost');
    } finally {
      engine.terminate();
      await link.close();
      await stages.close();
    }
  });

  it('that does not have the game leads to a sentence, and one that cannot start, too', async () => {
    const { terre, program } = await install({ other: '/nowhere' });
    await expect(terre.show('start.txt', 1, signal())).rejects.toMatchObject({
      code: 'E_PREVIEW_FAIL',
      message: 'WebGAL Terre is running but does not have this game.',
    });
    await program.stop();
    await writeFile(path.join(base, 'home', 'WebGAL_Terre', 'WebGAL_Terre'), '#!/bin/sh\nexit 3\n');
    await expect(terre.show('start.txt', 1, signal())).rejects.toMatchObject({
      message: expect.stringContaining('No WebGAL Terre answers'),
    });
  });
});

describe('another program on the port of Terre', () => {
  const start = async (answer: (place: string) => string | 'endless') => {
    const asked: string[] = [];
    const received: string[] = [];
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      const text = answer(request.url ?? '');
      if (text !== 'endless') return response.end(text);
      const more = () => {
        while (response.write('[{"dir":"x"},'.repeat(5000)));
        response.once('drain', more);
      };
      more();
    });
    new WebSocketServer({ server, path: '/api/webgalsync' }).on('connection', (socket) => {
      socket.on('message', (data) => received.push(String(data)));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const environment = { WEBGAL_PORT: String(port - 1) };
    return { terre: createTerre({ root, client: createTerreClient(environment) }), asked, received };
  };

  it('receives no more than the greeting', async () => {
    const { terre, asked } = await start(() => 'hello');
    await expect(terre.show('start.txt', 1, signal())).rejects.toMatchObject({ code: 'E_PREVIEW_FAIL' });
    expect(asked.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['GET /api/test']);
    expect(asked.join()).not.toMatch(/authorization|cookie/i);
  });

  it('cannot fill the memory, claim the game, or send the app elsewhere', async () => {
    const greeting = 'WebGAL Terre Application API Test OK';
    const { terre, received } = await start((place) => (place === '/api/test' ? greeting : 'endless'));
    expect(await terre.hasGame(signal())).toBe(false);
    await expect(terre.show('start.txt', 1, signal())).rejects.toMatchObject({ code: 'E_PREVIEW_FAIL' });
    expect(received).toEqual([]);
  });

  it.each(['[{"dir":"../../x"}]', '[{"dir":""}]', '{}', '[[[', '[{"dir":"a?b#c/../../api/delete"}]'])(
    'answers %s, and is asked for nothing but folders',
    async (list) => {
      const greeting = 'WebGAL Terre Application API Test OK';
      const { terre, asked } = await start((place) => (place === '/api/test' ? greeting : list));
      expect(await terre.hasGame(signal())).toBe(false);
      for (const line of asked)
        expect(line).toMatch(/^GET \/api\/(test|manageGame\/(gameList|readGameAssets\/[^/?#]*\/game)) /);
    },
  );
});
