import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { networkCheck, PERFORMERS } from './network.ts';
import { toTree } from './source-tree.ts';

const find = async (texts: Record<string, string>): Promise<string[]> =>
  (await networkCheck.find(toTree(texts))).map(({ file, line, message }) => `${file}:${line} ${message}`);

test.each([
  ["await fetch('https://example.org');", 'fetch'],
  ['const send = globalThis.fetch;', 'fetch'],
  ['const ports = { fetch };', 'fetch'],
  ["new WebSocket('ws://example.org');", 'WebSocket'],
  ["import { request } from 'node:https';", 'node:https'],
  ["import { createServer, connect } from 'node:net';", 'node:net'],
  ["import * as http from 'http';", 'node:http'],
  ["import dns from 'node:dns/promises';", 'node:dns'],
  ["import { WebSocket } from 'ws';", 'ws'],
  ["import { createOpenAI } from '@ai-sdk/openai';", '@ai-sdk'],
  ["const late = await import('undici');", 'undici'],
  ["export { chromium } from 'playwright-core';", 'playwright-core'],
  ["const send = globalThis['fetch'];", 'fetch'],
  ['const send = global.fetch;', 'fetch'],
  ['const send = globalThis!.fetch;', 'fetch'],
  ['const send = (globalThis as any).fetch;', 'fetch'],
  ['const { fetch: send } = globalThis as any;', 'fetch'],
  ['const g = globalThis; g.fetch();', 'a computed name'],
  ['const send = globalThis[name];', 'a computed name'],
  ['const { fetch: send } = globalThis;', 'fetch'],
  ["const http = require('http');", 'node:http'],
  ["const http = process.getBuiltinModule('node:http');", 'node:http'],
  ['const late = await import(name);', 'a computed name'],
  ["navigator['sendBeacon'](address);", 'sendBeacon'],
  ['new RTCPeerConnection();', 'RTCPeerConnection'],
  ['void net.request(address);', 'net'],
  ['void shell.openExternal(address);', 'openExternal'],
  ['void session.setProxy({});', 'setProxy'],
  ['void window.loadURL(address);', 'loadURL'],
])('rejects %s in a file that is not listed', async (text, use) => {
  const path = 'main/core/a.ts';
  expect(await find({ [path]: text })).toEqual([`${path}:1 opens connections with ${use}`]);
});

test('accepts types, servers, members of other objects and tests', async () => {
  const text = [
    "import type { WebSocket } from 'ws';",
    "import { createServer, type Server } from 'node:http';",
    "import { type RawData, WebSocketServer } from 'ws';",
    'interface Options { fetch?: typeof fetch; open(socket: WebSocket): void }',
    'const models = createModels({ fetch: options.fetch });',
    'listen(web.fetch);',
  ].join('\n');
  const call = "fetch('/');";
  expect(await find({ 'main/node/a.ts': text, 'main/node/a.test.ts': call, 'scripts/a.ts': call })).toEqual([]);
});

test.each(['preload/a.ts', 'renderer/chat/a.tsx', 'shared/a.ts'])('reads %s', async (path) => {
  expect(await find({ [path]: "fetch('/');" })).toEqual([`${path}:1 opens connections with fetch`]);
});

test('limits a listed file to its uses, and reports those that it no longer has', async () => {
  const path = 'main/network/sockets.ts';
  const text = "const socket = new WebSocket(url);\nimport { request } from 'node:http';\nnew WebSocket(address);";
  expect(await find({ [path]: text })).toEqual([
    `${path}:2 opens connections with node:http`,
    `${path}:1 no longer uses ws: remove it from PERFORMERS`,
  ]);
});

test('lists files that exist', () => {
  const root = join(import.meta.dirname, '../..');
  expect(Object.keys(PERFORMERS).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
