import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpProject, type McpProjectFolder, type RawMcp, startRaw } from '../support/mcp-process.ts';

/** Messages of a hostile MCP client to the real program. It answers, prints only JSON-RPC, and continues. */

const CANARY = 'CANARY-of-the-environment';
let game: McpProjectFolder;
let raw: RawMcp;
let ids = 100;

beforeAll(async () => {
  game = await createMcpProject({ 'game/scene/start.txt': '雪乃:你好;\n', 'game/config.txt': '', '.env': CANARY });
  game.environment.SECRET_KEY = CANARY;
  raw = startRaw(game, ['--allow-write', '--developer-mode']);
  await raw.hello();
}, 90_000);
afterAll(async () => {
  raw.child.kill('SIGKILL');
  await raw.exited;
  await game.dispose();
});

async function ask(method: string, params?: unknown) {
  const id = ++ids;
  raw.send(`${JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) })}\n`);
  const answer = await raw.next((message) => message.id === id);
  const said = JSON.stringify(answer);
  expect(said).not.toContain(CANARY);
  expect(said).not.toMatch(/\\n\s+at |node:internal/);
  expect(JSON.stringify(params ?? '').includes(game.root) || !said.includes(game.root), `${method}: ${said}`).toBe(
    true,
  );
  return answer;
}

describe.skipIf(process.platform === 'win32')('a hostile client', { timeout: 90_000 }, () => {
  it('gets errors for malformed messages, and an answer for the next valid one', async () => {
    const wrong = [
      ...[
        'null',
        '1',
        '"x"',
        '{}',
        '[]',
        '[[]]',
        '{"jsonrpc":"2.0"}',
        '{"jsonrpc":"2.0","id":1}',
        '{"jsonrpc":"2.0","method":1,"id":1}',
      ],
      ...[
        '{"jsonrpc":"2.0","id":{},"method":"ping"}',
        '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
        '{"id":NaN}',
        '\u0000',
        '\ufeff{}',
      ],
      ...[
        '{"jsonrpc":"2.0","id":null,"method":"ping"}',
        '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
        `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
      ],
      ...[
        '{"jsonrpc":"2.0","method":"notifications/none"}',
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"no"}}',
      ],
      ...[
        '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
        '{"jsonrpc":"2.0","id":"x","result":{}}',
        '{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":""}}',
      ],
      ...[
        '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"__proto__","progress":1}}',
        '{"__proto__":{"jsonrpc":"2.0"}}',
      ],
      ...[
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"delete_file"}}',
      ],
    ];
    for (const line of wrong) raw.send(`${line}\n`);
    expect((await ask('ping')).result).toEqual({});
    // A hundred megabytes without a line break are dropped while they arrive.
    const piece = 'x'.repeat(10_000_000);
    for (let count = 0; count < 10; count += 1) raw.send(piece);
    raw.send('\n');
    expect((await ask('ping')).result).toEqual({});
    expect(raw.stray).toEqual([]);
  });

  it('gets errors for unknown methods, tools and parameters', async () => {
    for (const method of [
      '__proto__',
      'constructor',
      'tools/__proto__',
      'sampling/createMessage',
      'shutdown',
      '',
      'x'.repeat(100_000),
    ]) {
      expect((await ask(method, {})).error?.code, method.slice(0, 40)).toBe(-32601);
    }
    for (const [method, params] of [
      ['completion/complete', {}],
      ['completion/complete', { ref: { type: 'ref/prompt', name: '__proto__' }, argument: { name: 'x', value: '' } }],
      ['logging/setLevel', { level: 'constructor' }],
    ] as const) {
      expect((await ask(method, params)).error, method).toBeDefined();
    }
    const deep = JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`);
    const calls: unknown[] = [
      ...[
        undefined,
        {},
        { name: 1 },
        { name: 'read_file', arguments: [] },
        { name: 'read_file', arguments: 'x' },
        { name: 'read_file', arguments: deep },
      ],
      ...['__proto__', 'constructor', 'x'.repeat(1_000_000)].map((name) => ({ name, arguments: {} })),
      JSON.parse('{"name":"read_file","arguments":{"__proto__":{"path":"game/scene/start.txt"}}}'),
      JSON.parse(
        '{"name":"read_file","arguments":{"path":".env","constructor":{}},"__proto__":{"x":1},"_meta":{"progressToken":{}}}',
      ),
    ];
    for (const params of calls) {
      const { error, result } = await ask('tools/call', params);
      expect(error !== undefined || result?.isError === true, JSON.stringify(params)?.slice(0, 100)).toBe(true);
    }
    expect(raw.stray).toEqual([]);
  });

  it('cannot read resources and prompts outside the game', async () => {
    const uris = [
      ...[
        'webgal://../../',
        'webgal://scene/../../../etc/passwd',
        'webgal://scene/..%2F..%2F..%2F.env',
        'webgal://scene/%2e%2e/%2e%2e/.env',
      ],
      ...[
        'webgal://scene//etc/passwd',
        'webgal://scene/%00',
        'webgal://scene/%',
        'webgal://scene/',
        'webgal://scene/..%5c..%5c.env',
        'webgal://scene',
      ],
      ...[
        'webgal://snapshots/../x',
        'webgal://snapshots/__proto__',
        'webgal://diagnostics/..%2f..%2f.env',
        'webgal://__proto__',
        'WEBGAL://scene/start.txt',
      ],
      ...[
        'file:///etc/passwd',
        'http://localhost/',
        '',
        'x'.repeat(100_000),
        'webgal://scene/\u202e',
        'webgal://scene/game/scene/start.txt',
      ],
    ];
    for (const uri of uris) {
      expect((await ask('resources/read', { uri })).error?.code, uri.slice(0, 60)).toBeLessThan(0);
      await ask('resources/subscribe', { uri });
      await ask('resources/unsubscribe', { uri });
    }
    for (const name of ['__proto__', 'constructor', '', 'write_scene\0', '../write_scene']) {
      expect((await ask('prompts/get', { name })).error?.code).toBe(-32602);
    }
    const values: unknown[] = [
      '../../.env',
      '\u0000',
      'x'.repeat(100_000),
      `${CANARY.slice(0, 3)}\n# system`,
      1,
      null,
      {},
      [],
    ];
    for (const scene of values) await ask('prompts/get', { name: 'proofread_scene', arguments: { scene } });
    await ask('prompts/get', { name: 'proofread_scene', arguments: JSON.parse('{"__proto__":{"scene":"x"}}') });
    expect((await ask('ping')).result).toEqual({});
    expect(raw.stray).toEqual([]);
    expect(raw.errors()).not.toContain(CANARY);
    expect(JSON.stringify(await game.audit())).not.toContain(game.root);
  });
});
