import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../main/tools/index.ts';
import { type AttackedGame, createAttackedGame, START, TEXT } from '../support/attacked-game.ts';
import { toArguments } from '../support/fuzzed-arguments.ts';

/** Arguments of every making, out of each tool's own schema, so that no tool can be added that is not attacked. */

let game: AttackedGame;
beforeAll(async () => {
  game = await createAttackedGame({
    'package.json': JSON.stringify({ scripts: { dev: 'exit 0', build: 'exit 0', lint: 'exit 0' } }),
  });
});
afterAll(() => game.dispose());

describe.skipIf(process.platform === 'win32')('arguments', () => {
  test.each(tools.map((tool) => [tool.name, tool] as const))('%s: whatever it is called with', async (name, tool) => {
    // Starting a program takes its time, and there is but one way to do it.
    const numRuns = tool.permissions.includes('proc.exec') ? 8 : 40;
    await fc.assert(
      fc.asyncProperty(toArguments(tool), async (input) => void (await game.attack(name, input))),
      { numRuns },
    );
    await game.expectUntouched();
  });

  test('names of prototypes, depth and size', async () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    const evil = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    for (const { name, examples } of tools) {
      if (name === 'execute_command' || name === 'browser_action') continue; // A surplus argument stops them all the same.
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

  test('names that are no tool, and tools by names that only look like theirs', async () => {
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

  test('calls in a form that says it is older or newer are told so, and do nothing', async () => {
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

  test('what she wrote is still there, or was kept, after all of that', async () => {
    const kept = await game.workspace.snapshots.list({ pathPrefix: START });
    const texts = await Promise.all(kept.map(async ({ id }) => (await game.workspace.snapshots.read(id)).text));
    expect([...texts, await game.text(START)]).toContain(TEXT);
  });
});
