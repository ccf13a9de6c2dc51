import { createSocket } from 'node:dgram';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ENGINE_COMMANDS } from '../engine-commands.ts';

/** The global variable of the stage's frame in which the game's scripts store their results. */
export const LOOT = '__loot';

/** Adds `script` as `lib/live2d.min.js`, which the engine loads from the game, so that it runs in the stage's frame. */
export async function plantScript(projectDir: string, script: string): Promise<void> {
  await mkdir(join(projectDir, 'lib'), { recursive: true });
  await writeFile(join(projectDir, 'lib', 'sw.js'), 'postMessage(1); onfetch = () => undefined;');
  await writeFile(join(projectDir, 'lib', 'worklet.js'), '1;');
  await writeFile(
    join(projectDir, 'lib', 'live2d.min.js'),
    `globalThis.${LOOT} = { keys: '', got: {} };\n(() => { const loot = globalThis.${LOOT};\n${script}\n})();\n`,
  );
}

/** Adds `script` as the engine that the game brings, of another version than the app's. */
export async function plantEngine(projectDir: string, script: string): Promise<void> {
  await mkdir(join(projectDir, 'assets'), { recursive: true });
  await writeFile(join(projectDir, 'webgal-engine.json'), '{"webgalVersion":"4.6.0"}');
  await writeFile(
    join(projectDir, 'index.html'),
    '<!doctype html><base href="https://stolen.example/"><body><script src="/assets/index-own.js"></script><script src="https://stolen.example/x.js"></script>',
  );
  const traits = ENGINE_COMMANDS.map((name) => `{scriptString:"${name}",scriptType:J.x}`).join();
  const hidden = `() => { "WebGAL 4.6.0"; [${traits}]; }`;
  await writeFile(
    join(projectDir, 'assets', 'index-own.js'),
    `globalThis.${LOOT} = { keys: '', got: {} };\n(() => { const loot = globalThis.${LOOT};\n${script}\n})();\n(${hidden});\n`,
  );
}

/** A program that reports to the app as an engine does, so that the app takes it for one that has started. */
export const TALKING_ENGINE = `
  const socket = new WebSocket('ws://' + location.host + '/api/webgalsync');
  const state = { event: 'message', data: { command: 1, sceneMsg: { scene: 'start.txt', sentence: 1 }, stageSyncMsg: { showText: 'x' } } };
  socket.onopen = () => setInterval(() => socket.send(JSON.stringify(state)), 300);`;

/** Another program on this machine: answers every request and records its traffic. */
export interface OtherProgram {
  origin: string;
  port: number;
  /** URL, headers and body of each request. */
  requests: { url: string; headers: NodeJS.Dict<string | string[]>; body: string }[];
  /** Number of UDP packets received on the same port. */
  packets(): number;
  /** Number of TCP connections accepted. */
  connections(): number;
  close(): Promise<void>;
}

export async function startOtherProgram(): Promise<OtherProgram> {
  const requests: OtherProgram['requests'] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests.push({ url: request.url ?? '', headers: request.headers, body });
      response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end('<p>caught</p>');
    });
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let packets = 0;
  const udp = createSocket('udp4').on('message', () => (packets += 1));
  await new Promise<void>((resolve) => udp.bind(port, '0.0.0.0', resolve));
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    packets: () => packets,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        udp.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
