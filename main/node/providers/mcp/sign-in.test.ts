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

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** A service over HTTP that wants a sign-in, and its own authorization server: what the protocol asks of both, in small. */
async function startStandIn() {
  let renews = true;
  const seen = { bearers: new Set<string>(), codes: 0, refreshed: 0 };
  let valid = 'token-1';
  const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  let origin = '';
  const server: Server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const body = await readBody(request);
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      return json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    }
    if (pathname.startsWith('/.well-known/')) {
      return json(response, 200, {
        ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
        ...{ registration_endpoint: `${origin}/register`, response_types_supported: ['code'] },
        ...{ code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['none'] },
      });
    }
    if (pathname === '/register') return json(response, 201, { ...JSON.parse(body), client_id: 'client-1' });
    if (pathname === '/token') {
      const form = new URLSearchParams(body);
      const isRenewal = form.get('grant_type') === 'refresh_token';
      if (isRenewal && !renews) return json(response, 400, { error: 'invalid_grant' });
      if (isRenewal) seen.refreshed += 1;
      else if (form.get('code') !== 'code-1' || !form.get('code_verifier'))
        return json(response, 400, { error: 'invalid_grant' });
      else seen.codes += 1;
      return json(response, 200, {
        access_token: valid,
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: 'refresh-1',
      });
    }
    if (request.headers.authorization !== `Bearer ${valid}`) {
      return json(
        response,
        401,
        {},
        { 'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"` },
      );
    }
    seen.bearers.add(request.headers.authorization);
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1.0.0' },
      },
      'tools/list': { tools: [{ name: 'ok', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'signed in' }] },
    };
    return json(response, 200, { jsonrpc: '2.0', id, result: results[method] ?? {} });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin,
    seen,
    rotate: () => {
      valid = 'token-2';
    },
    revoke: () => {
      valid = 'token-3';
      renews = false;
    },
  };
}

test('signs in to a service that asks for it, renews the token, and keeps it for this address only', async () => {
  const standIn = await startStandIn();
  const data = await mkdtemp(path.join(tmpdir(), 'sign-in-'));
  const secrets = createProviderSecrets(null);
  const servers = createMcpServers({ version: '1.0.0', data, secrets, environment: {}, pauses: [] });
  ends.push(() => rm(data, { recursive: true, force: true }));
  ends.push(() => servers.dispose());
  const server: McpServer = {
    ...{ id: 'art', name: 'Art', enabled: true, agreed: null },
    transport: { type: 'http', url: `${standIn.origin}/mcp`, headers: [] },
  };
  servers.follow([{ ...server, agreed: toConsentText(server) }]);
  const status = () => servers.current()[0]?.state().status;
  await expect.poll(status).toBe('signIn');

  const page = new URL(await servers.signIn('art'));
  expect(page.pathname).toBe('/authorize');
  expect(page.searchParams.get('code_challenge_method')).toBe('S256');
  const back = new URL(page.searchParams.get('redirect_uri') ?? '');
  expect(back.hostname).toBe('127.0.0.1');
  // An answer of another page, without the state, is refused.
  expect((await fetch(`${back.href}?code=code-1&state=other`)).status).toBe(400);
  expect((await fetch(`${back.href}?code=code-1&state=${page.searchParams.get('state')}`)).status).toBe(200);
  await expect.poll(status).toBe('ready');
  expect(standIn.seen.codes).toBe(1);

  const call = () =>
    servers.current()[0]?.call({
      ...CALL_FACTS,
      ...{ name: 'ok', input: {}, signal: AbortSignal.timeout(5000), timeout: 5000, onProgress: () => undefined },
    });
  expect((await call())?.content).toEqual([{ kind: 'text', text: 'signed in' }]);
  standIn.rotate();
  expect((await call())?.content).toEqual([{ kind: 'text', text: 'signed in' }]);
  expect(standIn.seen.refreshed).toBe(1);
  expect(await secrets.get('sign-in:art', 'http://127.0.0.1:1/mcp')).toEqual({});

  standIn.revoke();
  await expect(call()).rejects.toMatchObject({ code: 'E_IO', reason: 'provider.signInAgain' });
  await expect.poll(status).toBe('signIn');
});
