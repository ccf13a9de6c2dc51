import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../main/tools/index.ts';
import { type AttackedGame, createAttackedGame, START, TEXT } from '../support/attacks/attacked-game.ts';
import { toArguments } from '../support/attacks/fuzzed-arguments.ts';

/** Generated arguments from each tool's own schema, so that every new tool is attacked. */

let game: AttackedGame;
beforeAll(async () => {
  game = await createAttackedGame({
    'package.json': JSON.stringify({ scripts: { dev: 'exit 0', build: 'exit 0', lint: 'exit 0' } }),
  });
});
afterAll(() => game.dispose());

describe.skipIf(process.platform === 'win32')('hostile arguments', () => {
  test.each(tools.map((tool) => [tool.name, tool] as const))(
    'are answered by %s without damage',
    async (name, tool) => {
      // Starting a program is slow, and there is only one code path for it.
      const numRuns = tool.permissions.includes('proc.exec') ? 8 : 40;
      await fc.assert(
        fc.asyncProperty(toArguments(tool), async (input) => void (await game.attack(name, input))),
        { numRuns },
      );
      await game.expectUntouched();
    },
  );

  test('named like prototypes, deeply nested, or very large, are refused', async () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    const evil = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    for (const { name, examples } of tools) {
      if (name === 'execute_command' || name === 'browser_action') continue; // Unknown arguments are refused for them as well.
      for (const extra of [evil, { toString: 1 }, { path: deep }, { surplus: deep }, { path: 'x'.repeat(1_000_000) }]) {
        expect(await game.refusal(name, { ...(examples[0] as object), ...extra, surplus: 1 }), name).toMatch(
          /E_BAD_ARGS|E_DENY_PATH/,
        );
      }
      for (const whole of [null, [], [{}], 'x', '{', '[]', 0, true, deep]) await game.attack(name, whole);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    await game.expectUntouched();
  });

  test('names that are not a tool, and look-alikes of tool names, are refused', async () => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      '',
      ' ',
      'read_file ',
      'READ_FILE',
      'read_file\0',
      'fs.read',
    ];
    for (const name of [...names, 'x'.repeat(1_000_000), '../read_file', 'read_file@1.0.0', 'project.file.read']) {
      expect(await game.refusal(name, { path: START }), JSON.stringify(name.slice(0, 40))).toBe('E_UNSUPPORTED');
    }
  });

  test('calls that claim an older or newer format are refused without effect', async () => {
    const call = { path: START, content: 'x', dryRun: false };
    for (const version of ['0.9.0', '2.0.0', '99', 'latest', -1, null, {}]) {
      for (const name of ['version', 'schemaVersion', 'contractVersion', '$schema']) {
        expect(await game.refusal('write_to_file', { ...call, [name]: version })).toMatch(
          /E_BAD_ARGS|E_UNSUPPORTED|E_POLICY/,
        );
      }
    }
    for (const wrapped of [
      { args: call },
      { arguments: call },
      { input: call },
      [call],
      { params: { arguments: call } },
    ]) {
      expect(await game.refusal('write_to_file', wrapped)).toBe('E_BAD_ARGS');
    }
  });

  test('leave the user’s text in place or snapshotted', async () => {
    const kept = await game.workspace.snapshots.list({ pathPrefix: START });
    const texts = await Promise.all(kept.map(async ({ id }) => (await game.workspace.snapshots.read(id)).text));
    expect([...texts, await game.text(START)]).toContain(TEXT);
  });
});
