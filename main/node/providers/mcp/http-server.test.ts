import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type McpServer, toConsentText } from '../../../../shared/model/external/mcp-server.ts';
import { CALL_FACTS } from '../../../../tests/support/providers/call-facts.ts';
import { createProviderSecrets } from '../provider-secrets.ts';
import { createMcpServers } from './mcp-servers.ts';

/** A server over HTTP that is stopped and started anew, as its user does. */

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface StandIn {
  port: number;
  /** What it answers to calls of tools: null for the usual answer. */
  status: number | null;
  stop(): Promise<void>;
  start(): Promise<void>;
}

async function startStandIn(): Promise<StandIn> {
  let server: Server;
  const standIn: StandIn = { port: 0, status: null, start, stop };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(text);
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tools/call' && standIn.status !== null) return void response.writeHead(standIn.status).end('no');
    const results: Record<string, unknown> = {
      initialize: {
        ...{ protocolVersion: params?.protocolVersion, capabilities: { tools: {} } },
        serverInfo: { name: 's', version: '1.0.0' },
      },
      'tools/list': { tools: [{ name: 'ok', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
  }
  async function start(): Promise<void> {
    server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
    await new Promise<void>((resolve) => server.listen(standIn.port, '127.0.0.1', resolve));
    standIn.port = (server.address() as AddressInfo).port;
  }
  async function stop(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await start();
  ends.push(stop);
  return standIn;
}

async function connect() {
  const standIn = await startStandIn();
  const data = await mkdtemp(path.join(tmpdir(), 'http-server-'));
  ends.push(() => rm(data, { recursive: true, force: true }));
  const options = { version: '1.0.0', data, secrets: createProviderSecrets(null), environment: {} };
  const servers = createMcpServers({ ...options, pauses: [20, 20, 20, 20, 20] });
  ends.push(() => servers.dispose());
  const server: McpServer = {
    ...{ id: 'art', name: 'Art', enabled: true, agreed: null },
    transport: { type: 'http', url: `http://127.0.0.1:${standIn.port}/mcp`, headers: [] },
  };
  servers.follow([{ ...server, agreed: toConsentText(server) }]);
  const status = () => servers.current()[0]?.state().status;
  const call = () =>
    servers.current()[0]?.call({
      ...CALL_FACTS,
      ...{ name: 'ok', input: {}, signal: AbortSignal.timeout(5000), timeout: 5000, onProgress: () => undefined },
    });
  await expect.poll(status).toBe('ready');
  const problem = () => {
    const state = servers.current()[0]?.state();
    return state?.status === 'failed' ? state.problem : null;
  };
  return { standIn, status, problem, call };
}

test('a server that went away is failed, and connected again when it is back', async () => {
  const { standIn, status, problem, call } = await connect();
  await standIn.stop();
  await expect(call()).rejects.toMatchObject({ code: 'E_IO', reason: 'provider.gone' });
  expect(status()).not.toBe('ready');
  // Not that it could not be started, and what is wrong rather than that something is.
  await expect
    .poll(problem)
    .toMatchObject({ reason: 'provider.unreached', details: { said: expect.stringContaining('ECONNREFUSED') } });
  await standIn.start();
  await expect.poll(status).toBe('ready');
  expect((await call())?.content).toEqual([{ kind: 'text', text: 'done' }]);
});

test('a server that forgot the session is connected again; another refusal ends no connection', async () => {
  const { standIn, status, call } = await connect();
  standIn.status = 500;
  await expect(call()).rejects.toMatchObject({ code: 'E_UNSUPPORTED', reason: 'provider.callFailed' });
  expect(status()).toBe('ready');
  standIn.status = 404;
  await expect(call()).rejects.toMatchObject({ reason: 'provider.gone' });
  expect(status()).not.toBe('ready');
  standIn.status = null;
  await expect.poll(status).toBe('ready');
  expect((await call())?.content).toEqual([{ kind: 'text', text: 'done' }]);
});
