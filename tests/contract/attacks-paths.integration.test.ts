import { link, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toArgumentSchema } from '../../main/core/capability/parsing/parse-input.ts';
import { tools } from '../../main/tools/index.ts';
import { type AttackedGame, CANARY, createAttackedGame, START, TEXT } from '../support/attacks/attacked-game.ts';
import { findPathArguments } from '../support/attacks/fuzzed-arguments.ts';
import { HOSTILE_PATHS } from '../support/attacks/hostile-paths.ts';

/** Every path argument of every tool with every hostile path. New tools are attacked as soon as they are listed. */

let game: AttackedGame;
beforeAll(async () => {
  game = await createAttackedGame({ 'game/figure/yukino.png': 'x' });
});
afterAll(() => game.dispose());

const patch = (at: string) => ({ patch_text: `*** Begin Patch\n*** Add File: ${at}\n+x\n*** End Patch` });
const plan = (step: object) => ({ steps: [{ type: 'scene_edit', summary: 'x', ...step }] });
const operation = (one: object) => plan({ operations: [one] });
/** Tools that take a path in another form. */
const OTHER_WAYS: readonly { tool: string; toInput: (at: string) => unknown }[] = [
  { tool: 'apply_patch', toInput: patch },
  { tool: 'apply_patch', toInput: (at) => ({ patch_text: `*** Begin Patch\n*** Delete File: ${at}\n*** End Patch` }) },
  {
    tool: 'apply_patch',
    toInput: (at) => ({ patch_text: `*** Begin Patch\n*** Update File: ${at}\n@@\n+x\n*** End Patch` }),
  },
  { tool: 'write_to_file', toInput: (path) => ({ path, content: 'x', dryRun: false, idempotencyKey: 'key' }) },
  { tool: 'list_files', toInput: (path) => ({ path, globs: ['**'] }) },
  { tool: 'list_snapshots', toInput: (at) => ({ path: at.slice(0, 4096) }) },
  { tool: 'generate_character_profile', toInput: (at) => ({ name: 'x', imageFile: at.slice(0, 400) || 'x' }) },
  { tool: 'propose_plan', toInput: (at) => plan({ path: at.slice(0, 4096) }) },
  { tool: 'propose_plan', toInput: (at) => operation({ op: 'create', path: at.slice(0, 4096), text: 'x' }) },
  { tool: 'propose_plan', toInput: (at) => operation({ op: 'delete', path: at.slice(0, 4096), expect: CANARY }) },
  {
    tool: 'propose_plan',
    toInput: (at) => operation({ op: 'rename', path: START, to: at.slice(0, 4096), expect: '雪乃:你好;' }),
  },
  { tool: 'browser_action', toInput: (at) => ({ action: 'screenshot', path: at.slice(0, 200) || 'x' }) },
];
/** A plan is only shown: what it names is neither read to the model nor written. */
const isBroad = (tool: string) =>
  ['list_files', 'glob_file_search', 'search_files', 'list_snapshots', 'propose_plan'].includes(tool);

describe.skipIf(process.platform === 'win32')('hostile paths', () => {
  test('covers every tool with a path argument', () => {
    const attacked = tools.filter((tool) => findPathArguments(tool).length > 0).map(({ name }) => name);
    const named = tools.filter((tool) =>
      /"[^"]*(path|file|dir|folder)[^"]*":/i.test(JSON.stringify(toArgumentSchema(tool))),
    );
    const covered = new Set([...attacked, ...OTHER_WAYS.map(({ tool }) => tool)]);
    expect(named.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
    expect(attacked.length).toBeGreaterThan(10);
  });

  test('gives no tool access through any of them', async () => {
    const ways = [
      ...tools.flatMap((tool) => findPathArguments(tool).map(({ toInput }) => ({ tool: tool.name, toInput }))),
      ...OTHER_WAYS,
    ];
    for (const at of HOSTILE_PATHS) {
      for (const { tool, toInput } of ways) {
        // Trailing blanks of a line of a patch are not part of a name.
        if (tool === 'apply_patch' && at.trim() !== at) continue;
        const outcome = await game.attack(tool, toInput(at));
        if (!outcome.ok || isBroad(tool)) continue;
        // Unusual names that are valid in a game, such as `~`, may be written; read_lints reports nothing for them.
        expect(['write_to_file', 'apply_patch', 'grep', 'read_lints', 'codebase_search'], `${tool} ${at}`).toContain(
          tool,
        );
      }
    }
    const globs = HOSTILE_PATHS.flatMap((at) => [at.slice(0, 500), `${at.slice(0, 400)}/**`]);
    for (let first = 0; first < globs.length; first += 50) {
      const listed = await game.value('list_files', { path: '.', globs: globs.slice(first, first + 50) });
      expect(JSON.stringify(listed)).not.toMatch(/secret|\.git|\.env|node_modules|webgal_agent|\.\./);
    }
    await game.expectUntouched();
    expect(await game.text(START)).toBe(TEXT);
  }, 90_000);

  test('reads a hard link as a file, and a write leaves its other name unchanged', async () => {
    // Anyone who can create one can read its target anyway, and archives cannot contain links to outside.
    const own = path.join(game.outside, 'secret.txt');
    await link(own, path.join(game.root, 'game/scene/hard.txt'));
    const input = { path: 'game/scene/hard.txt', find: CANARY, replace: 'x' };
    expect(await game.value('replace_in_file', input)).toEqual({ count: 1 });
    expect(await readFile(own, 'utf8')).toBe(CANARY);
    await game.expectUntouched();
  });
});
