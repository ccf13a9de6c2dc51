import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AttackedGame, createAttackedGame, START, TEXT } from '../support/attacks/attacked-game.ts';

/** Games with links, false records and very large files in the app's folder and in the files that describe them. */

const change = { path: START, content: 'x\n' };
const PARTS = [
  '',
  '/snapshots',
  '/journal',
  '/tmp',
  '/screenshots',
  '/sessions',
  '/audit.jsonl',
  '/transactions',
  '/transactions.log',
  '/policy.json',
  '/agent.lock',
];
const ID = 'snap_20260101T000000_00000000';

/** Exercises everything that the app does with its folder. */
async function exercise(game: AttackedGame): Promise<void> {
  await game.attack('write_to_file', { ...change, dryRun: true });
  const { ok, error } = await game.attack('write_to_file', { ...change, dryRun: false });
  expect(await game.text(START)).toBe(ok ? change.content : TEXT);
  if (!ok) expect(['E_DENY_PATH', 'E_IO']).toContain(error?.code);
  await game.attack('list_snapshots', {});
  await game.workspace.audit.append({ tool: 'x' }, true).catch(() => undefined);
  await game.workspace.transactions.read().catch(() => undefined);
  await game.workspace.policyFile.read().catch(() => undefined);
  await game.expectUntouched();
}

describe.skipIf(process.platform === 'win32')("the app's own folder", () => {
  test.each(PARTS)('tolerates .webgal_agent%s as a link out, a dangling link, a file, a FIFO', async (part) => {
    const traps: ((at: string, outside: string) => Promise<unknown>)[] = [
      (at, outside) => symlink(part.includes('.') ? path.join(outside, 'secret.txt') : outside, at),
      (at, outside) => symlink(path.join(outside, 'made-through-a-link'), at),
      (at) => (part.includes('.') ? mkdir(at) : writeFile(at, 'x')),
      async (at) => execFileSync('mkfifo', [at]),
    ];
    for (const lay of traps) {
      let at = '';
      const opening = createAttackedGame(
        {},
        {
          async prepare(root, outside) {
            at = path.join(root, `.webgal_agent${part}`);
            await mkdir(path.dirname(at), { recursive: true });
            await lay(at, outside);
          },
        },
      );
      // Some of it is used while opening: then opening fails with a reason.
      const game = await opening.catch((error: { code?: string }) => {
        expect(error.code).toBe('E_DENY_PATH');
        return null;
      });
      if (!game) continue;
      const before = await lstat(at);
      await exercise(game);
      // It still exists, under its name or, where the log needs the name, renamed.
      const aside = (await readdir(path.dirname(at))).find(
        (name) => name.startsWith(path.basename(at)) && name.endsWith('.foreign'),
      );
      expect((await lstat(aside ? path.join(path.dirname(at), aside) : at)).mode).toBe(before.mode);
      expect(aside !== undefined).toBe(['/audit.jsonl', '/transactions.log'].includes(part));
      await game.dispose();
    }
  });

  test('skips snapshots with foreign paths, false hashes or excessive size', async () => {
    const game = await createAttackedGame();
    const meta = {
      id: ID,
      timestamp: 1,
      contentHash: '2d711642',
      existed: true,
      origin: 'agent',
      group: 'g',
      title: 't',
      after: null,
      bytes: 1,
    };
    const put = async (index: number, record: string | object) => {
      const id = `snap_20260101T0000${String(index).padStart(2, '0')}_00000000`;
      const text = typeof record === 'string' ? record : JSON.stringify({ ...meta, id, ...record });
      await game.put(`.webgal_agent/snapshots/${id}.meta.json`, text);
      await game.put(`.webgal_agent/snapshots/${id}.txt`, 'x');
      return id;
    };
    const lies = [
      '../../x',
      '../outside/secret.txt',
      '/etc/passwd',
      '.env',
      '.git/config',
      'a\\b',
      '.webgal_agent/policy.json',
      '.vscode/tasks.json',
      'game/scene/.bashrc',
      'game/./x',
      '',
    ];
    const ids: string[] = [];
    for (const [index, place] of lies.entries()) ids.push(await put(index, { path: place }));
    const shapes = [
      '',
      'null',
      '[]',
      '{',
      '['.repeat(100_000),
      `{"__proto__":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_001)}`,
    ];
    for (const [index, text] of shapes.entries()) ids.push(await put(20 + index, text));
    ids.push(await put(40, { path: START, title: 'x'.repeat(1_000_000) }));
    const sparse = await put(41, { path: START });
    await truncate(path.join(game.root, `.webgal_agent/snapshots/${sparse}.meta.json`), 3 * 1024 ** 3);
    const listed = JSON.stringify(await game.value('list_snapshots', { limit: 1000 }));
    for (const id of [...ids, sparse]) {
      expect(listed, id).not.toContain(id);
      expect((await game.attack('restore_snapshot', { snapshotId: id })).ok, id).toBe(false);
    }
    // One with a false hash is detected when it is read.
    const liar = await put(50, { path: START, contentHash: 'ffffffff' });
    expect(await game.refusal('restore_snapshot', { snapshotId: liar })).toBe('E_PARSE_FAIL');
    const huge = await put(51, { path: START });
    await truncate(path.join(game.root, `.webgal_agent/snapshots/${huge}.txt`), 3 * 1024 ** 3);
    expect(await game.refusal('restore_snapshot', { snapshotId: huge })).toBe('E_PARSE_FAIL');
    await exercise(game);
    await game.dispose();
  });

  test('ignores journals that this installation did not write', async () => {
    const entry = {
      path: START,
      text: 'evil',
      before: null,
      after: null,
      bytes: 4,
      mode: 0o4777,
      temp: null,
      stamp: null,
    };
    const body = JSON.stringify({
      pid: 1,
      host: 'elsewhere',
      at: 0,
      label: { origin: 'agent', group: 'g', title: 't' },
      entries: [entry],
    });
    const texts = [
      JSON.stringify({ v: 2, body, mark: '00'.repeat(32) }),
      body,
      '{',
      'null',
      '['.repeat(50_000),
      '{"v":1}',
      '',
    ];
    const game = await createAttackedGame(
      {},
      {
        async prepare(root) {
          const folder = path.join(root, '.webgal_agent/journal');
          await mkdir(folder, { recursive: true });
          const name = (index: number) => path.join(folder, `${String(index).padStart(24, '0')}.json`);
          for (const [index, text] of texts.entries()) await writeFile(name(index), text);
          await writeFile(name(50), texts[0] ?? '');
          await truncate(name(50), 3 * 1024 ** 3);
          await symlink('../../../outside/secret.txt', name(60));
          await mkdir(name(70));
        },
      },
    );
    expect(await game.text(START)).toBe(TEXT);
    await exercise(game);
    // A torn file may be in use by another process: it is kept for half a minute.
    const left = await readdir(path.join(game.root, '.webgal_agent/journal'));
    for (const name of left) expect(name).toMatch(/^0{22}\d\d\.json(\.foreign)?$|^[^.]+\.(json|slot)$/);
    await game.workspace.close();
  });

  test('tolerates very large and malformed files that describe the game', async () => {
    const deep = '['.repeat(200_000);
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index])));
    const bombs = [
      deep,
      `${deep}${']'.repeat(200_000)}`,
      wide,
      '{"__proto__":{"polluted":1}}',
      '\u0000',
      '\ufeff{}',
      '"x"',
      '',
      '9e999',
      `"${'\\u0000'.repeat(50_000)}"`,
    ];
    const places = [
      'package.json',
      'webgal-engine.json',
      'webgal-agent.json',
      'game/webgal-agent.json',
      'game/animation/animationTable.json',
      'game/config.txt',
      'game/template/template.json',
    ];
    const game = await createAttackedGame();
    const calls: [string, object][] = [
      ...[
        ['read_lints', {}],
        ['validate_script', { content: 'setAnimation:x;' }],
        ['list_project_resources', {}],
      ],
      ...[
        ['get_runtime_info', {}],
        ['execute_command', { scriptName: 'build' }],
        ['preview_scene', {}],
      ],
    ] as [string, object][];
    for (const bomb of bombs) {
      for (const place of places) await game.put(place, bomb);
      for (const [name, input] of calls) await game.attack(name, input);
    }
    for (const line of [
      'Game_name:../../x;',
      'Title_img:/etc/passwd;',
      `Game_key:${'x'.repeat(100_000)};`,
      ':;',
      ';'.repeat(50_000),
    ]) {
      await game.put('game/config.txt', line);
      for (const [name, input] of calls) await game.attack(name, input);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    await game.expectUntouched();
    await game.dispose();
  });
});
