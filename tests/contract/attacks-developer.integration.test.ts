import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AttackedGame, CANARY, createAttackedGame } from '../support/attacks/attacked-game.ts';

/** Scripts and the browser against a hostile package.json, hostile arguments and hostile addresses. */

let game: AttackedGame;
let server: Server;
let heard = 0;
beforeAll(async () => {
  server = createServer((_, response) => {
    heard += 1;
    response.end('x');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  game = await createAttackedGame(
    {},
    {
      environment: {
        ...{ PATH: process.env.PATH, MY_API_KEY: CANARY, NODE_OPTIONS: `--title=${CANARY}`, npm_config_key: CANARY },
        // No address in this test may reach a browser.
        WEBGAL_AGENT_BROWSER: '/nowhere/to/be/found',
      },
    },
  );
});
afterAll(async () => {
  await game.dispose();
  server.close();
});

const manifest = (scripts: unknown) => game.put('package.json', JSON.stringify({ scripts }));
const run = (input: object) => game.attack('execute_command', input);

describe.skipIf(process.platform === 'win32')('developer tools', () => {
  test('give a script a minimal environment', async () => {
    await manifest({ build: 'env; echo done' });
    process.env.ATTACK_CANARY = CANARY;
    const { value } = await run({ scriptName: 'build' }).finally(() => delete process.env.ATTACK_CANARY);
    // `attack` itself fails on the canary; this shows that the script did run.
    expect(JSON.stringify(value)).toContain('done');
  });

  test('refuse scripts that cannot be displayed, are not text, or have other names', async () => {
    const bodies = [
      'echo a\u0000b',
      'echo a\nrm -rf x',
      'echo \u202egro.live',
      'a\u200bb',
      '\ud800',
      '',
      '  ',
      1,
      null,
      ['a'],
      { a: 1 },
      '\u2028',
      '\u001b[2K',
    ];
    for (const body of bodies) {
      await manifest({ build: body });
      expect((await run({ scriptName: 'build' })).ok, JSON.stringify(body)).toBe(false);
    }
    for (const scripts of [null, [], 'x', { __proto__: { build: 'echo x' } }, { 'build; rm': 'x' }]) {
      await manifest(scripts);
      expect((await run({ scriptName: 'build' })).error?.code).toBe('E_NOT_FOUND');
    }
    await manifest({
      build: 'echo x',
      __proto__: 'echo y',
      'build; rm': 'echo z',
      prebuild: `touch ${game.outside}/made`,
    });
    for (const scriptName of [
      '__proto__',
      'build; rm',
      'constructor',
      'prebuild',
      'BUILD ',
      '../build',
      'test',
      'install',
    ]) {
      if (scriptName.trim().toLowerCase() === 'build') continue;
      expect((await run({ scriptName })).error?.code, scriptName).toMatch(/E_BAD_ARGS/);
    }
    expect((await run({ scriptName: 'build' })).ok).toBe(true);
    await game.expectUntouched();
  });

  test('pass arguments to a script literally', async () => {
    await manifest({ build: 'node print.cjs' });
    await game.put('print.cjs', 'console.log(JSON.stringify(process.argv.slice(2)))');
    const words = [
      ';touch x',
      '$(touch x)',
      '`touch x`',
      '| cat',
      '&& ls',
      "a'b",
      '"',
      '\\',
      '--',
      '-rf',
      '*',
      '~',
      '<x',
      '>x',
      '#',
      '!',
      '%PATH%',
    ];
    const { value } = await run({ scriptName: 'build', args: words });
    expect((value as { logs: string[] }).logs).toEqual([JSON.stringify(words)]);
    for (const word of ['a\nb', 'a\u0000', '\u202e', '\ud800', 'x'.repeat(201)]) {
      expect((await run({ scriptName: 'build', args: [word] })).error?.code).toMatch(/E_BAD_ARGS|E_POLICY/);
    }
    expect(await game.text('x')).toBe(null);
  });

  test('cut endless output, and do not stop tasks of others', async () => {
    await manifest({ build: 'node -e "for(let i=0;i<200000;i++)console.log(String(i).repeat(20))"; echo the-end' });
    const { value } = await run({ scriptName: 'build' });
    const { logs } = value as { logs: string[] };
    expect([logs.at(-1), logs.length < 500]).toEqual(['the-end', true]);
    for (const task of ['1', '-1', String(process.pid), '*', '../x', '__proto__', 'constructor']) {
      expect(await game.refusal('stop_background_task', { task })).toBe('E_NOT_FOUND');
    }
  });

  test('refuse addresses outside this machine, in every spelling', async () => {
    const { port } = server.address() as AddressInfo;
    const hosts = [
      ...[
        'example.com',
        'localhost.example.com',
        'localhost.',
        'LOCALHOST.example',
        '127.0.0.1.nip.io',
        '127.0.0.2',
        '0.0.0.0',
      ],
      ...[
        '127.1',
        '0x7f.1',
        '2130706433',
        '0177.0.0.1',
        '[::]',
        '[::ffff:7f00:1]',
        '[::ffff:127.0.0.1]',
        '169.254.169.254',
      ],
      ...[
        'localhost@example.com',
        '127.0.0.1@example.com',
        'user:pass@localhost',
        'localhost\\@example.com',
        'localhost#@example.com',
      ],
      ...[
        'localhost%00.example.com',
        'ⓛocalhost',
        'localhost\u3002',
        '１２７.0.0.1',
        'localhost\t',
        ' localhost',
        '10.0.0.1',
        '',
      ],
    ];
    const addresses = [
      ...hosts.map((host) => `http://${host}:${port}/`),
      ...[
        'file:///etc/passwd',
        'javascript:1',
        'data:text/html,x',
        'about:blank',
        'chrome://version',
        'view-source:http://localhost/',
      ],
      ...[
        'ftp://localhost/',
        'ws://localhost/',
        'HTTP://example.com',
        'http:/example.com',
        'http:example.com',
        '//localhost/',
        'localhost',
      ],
      ...[
        'blob:http://localhost/x',
        'http://localhost:99999/',
        'http://localhost:-1/',
        'https://example.com/?http://localhost/',
      ],
      ...[
        'http://localhost:80@example.com/',
        'http://127.0.0.1:80\\@example.com/',
        `http://localhost/\n`,
        'http://[localhost]/',
        'x'.repeat(3_000),
      ],
    ];
    for (const url of addresses) {
      // Addresses of this machine get as far as starting a browser.
      const code = await game.refusal('browser_action', { action: 'open', url });
      expect(code, url).toMatch(/E_BAD_ARGS|E_POLICY_VIOLATION/);
    }
    for (const selector of [
      'xpath=//*',
      '//a',
      'a >> b',
      'css=a >> text=b',
      '_react=x',
      'text=x',
      '<script>',
      '\u0000',
    ]) {
      expect(await game.refusal('browser_action', { action: 'click', selector })).toBe('E_BAD_ARGS');
    }
    expect(heard).toBe(0);
    expect(await readFile(path.join(game.outside, 'secret.txt'), 'utf8')).toBe(CANARY);
  });
});
