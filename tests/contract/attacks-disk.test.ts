import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat, symlink, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tools } from '../../main/tools/index.ts';
import { type AttackedGame, createAttackedGame, START, TEXT } from '../support/attacks/attacked-game.ts';
import { findPathArguments } from '../support/attacks/fuzzed-arguments.ts';

/** A disk with unusual files, which change while they are read. */

const isRoot = process.getuid?.() === 0;
let game: AttackedGame;
beforeEach(async () => {
  game = await createAttackedGame();
});
afterEach(() => game.dispose());

const at = (name: string) => path.join(game.root, name);
/** Calls every tool that takes a path with this one. */
async function attackAll(place: string): Promise<void> {
  for (const tool of tools) {
    for (const { toInput } of findPathArguments(tool)) await game.attack(tool.name, toInput(place));
  }
}

describe.skipIf(process.platform === 'win32')('a hostile disk', () => {
  test('refuses FIFOs, sockets and devices without hanging', async () => {
    await mkdir(at('game/scene/odd'));
    execFileSync('mkfifo', [at('game/scene/odd/fifo.txt'), at('game/config.txt'), at('package.json')]);
    const server = createServer().listen(at('game/scene/odd/socket.txt'));
    await new Promise((resolve) => server.once('listening', resolve));
    await symlink('/dev/zero', at('game/scene/odd/zero.txt'));
    for (const name of ['fifo.txt', 'socket.txt', 'zero.txt', '.']) await attackAll(`game/scene/odd/${name}`);
    for (const { name, examples } of tools.filter(({ needs }) => !needs.includes('browser')))
      await game.attack(name, examples[0] ?? {});
    expect((await stat(at('game/scene/odd/fifo.txt'))).isFIFO()).toBe(true);
    await new Promise((resolve) => server.close(resolve));
  });

  test('refuses a sparse file of gigabytes', async () => {
    await game.put('game/scene/huge.txt', '');
    await truncate(at('game/scene/huge.txt'), 8 * 1024 ** 3);
    for (const maxBytes of [undefined, 1, Number.MAX_SAFE_INTEGER]) {
      const input = { path: 'game/scene/huge.txt', ...(maxBytes && { maxBytes }) };
      expect(await game.refusal('read_file', input)).toBe('E_TOO_LARGE');
    }
    await attackAll('game/scene/huge.txt');
    expect((await game.value('search_files', { path: 'game/scene', regex: '雪乃' })).matches).toHaveLength(2);
  });

  test('reads a consistent text of a growing file, or refuses it as too large', async () => {
    await game.put('game/scene/log.txt', 'x\n');
    let growing = true;
    const grow = (async () => {
      for (let turn = 0; growing && turn < 2_000; turn += 1) {
        appendFileSync(at('game/scene/log.txt'), 'x\n'.repeat(500));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let turn = 0; turn < 20; turn += 1) {
      const { ok, value, error } = await game.attack('read_file', { path: 'game/scene/log.txt', maxBytes: 400_000 });
      if (ok) expect((value as { content: string }).content).toMatch(/^(x\n)+$/);
      else expect(error?.code).toBe('E_TOO_LARGE');
    }
    growing = false;
    await grow;
  });

  test('keeps read-only files and their folder unchanged', async () => {
    await chmod(at(START), 0o444);
    expect(await game.refusal('replace_in_file', { path: START, find: '雪乃', replace: '甲' })).toBe('E_IO');
    await game.value('write_to_file', { path: START, content: 'x', dryRun: true });
    expect(await game.refusal('write_to_file', { path: START, content: 'x', dryRun: false })).toBe('E_IO');
    expect(await game.text(START)).toBe(TEXT);
  });

  test.skipIf(isRoot)(
    'reports files without read permission, and lists the others (root may read everything)',
    async () => {
      await game.put('game/scene/closed/x.txt', 'x');
      await chmod(at('game/scene/closed'), 0);
      await game.put('game/scene/shut.txt', 'x');
      await chmod(at('game/scene/shut.txt'), 0);
      expect(await game.refusal('read_file', { path: 'game/scene/shut.txt' })).toBe('E_IO');
      expect((await game.value('list_files', { path: 'game/scene', globs: ['**'] })).entries).toContain('start.txt');
      await chmod(at('game/scene/closed'), 0o755);
    },
  );

  test('lists readable names only, and reads each of them', async () => {
    const names = [
      'a\nb',
      'a\u202etxt',
      'a\u2028b',
      'a\u200bb',
      'e\u0301',
      'ﬁ',
      'א',
      '-rf',
      '$(id)',
      '%2e',
      "a'b",
      'a`b',
      '名'.repeat(80),
      ' a',
      'a ',
      'con',
    ];
    for (const name of names) await game.put(`game/scene/odd/${name}.txt`, 'found');
    const { entries } = await game.value('list_files', { path: 'game/scene/odd' });
    for (const entry of entries) {
      expect((await game.value('read_file', { path: `game/scene/odd/${entry}` })).content, entry).toBe('found');
    }
    expect(entries).toEqual(expect.arrayContaining(['é.txt', 'א.txt', '-rf.txt', '$(id).txt']));
    for (const entry of entries) expect(entry).not.toMatch(/[\n\u202e\u2028]|^con/);
    const { matches } = await game.value('search_files', { path: 'game/scene/odd', regex: 'found' });
    expect(matches.map((match: { path: string }) => match.path.split('/').at(-1)).sort()).toEqual([...entries].sort());
  });

  test('lists the other files beside folders deeper than the system’s path limit', async () => {
    const home = process.cwd();
    try {
      // Can only be created step by step, as an archive extractor does.
      process.chdir(at('game/scene'));
      for (let depth = 0; depth < 30; depth += 1) {
        mkdirSync('名'.repeat(80));
        process.chdir('名'.repeat(80));
      }
    } finally {
      process.chdir(home);
    }
    for (const { name, examples } of tools.filter(({ needs }) => !needs.includes('browser')))
      await game.attack(name, examples[0] ?? {});
    const { entries } = await game.value('list_files', { path: 'game', globs: ['**/*.txt'] });
    expect(entries).toContain('scene/start.txt');
    expect((await game.value('list_project_resources', {})).scenes).toContain('start.txt');
    // Its path is too long for Node to remove it.
    execFileSync('rm', ['-rf', at('game/scene')]);
  });

  test('lists many files in one folder', async () => {
    await mkdir(at('game/many'));
    for (let index = 0; index < 1_000; index += 1) writeFileSync(at(`game/many/${index}.txt`), '');
    expect((await game.value('list_files', { path: 'game/many' })).entries).toHaveLength(1_000);
  });

  test('reports a game that is moved away or removed, and does not create it again', async () => {
    const moved = `${game.root}-moved`;
    await game.value('write_to_file', { path: START, content: 'x', dryRun: true });
    await rename(game.root, moved);
    for (const tool of tools) {
      for (const { toInput } of findPathArguments(tool)) {
        const { ok } = await game.attack(tool.name, toInput(START));
        // A dry run of a missing file returns a diff, and writes nothing.
        if (tool.name !== 'write_to_file') expect(ok, tool.name).toBe(false);
      }
    }
    expect(await game.refusal('write_to_file', { path: START, content: 'x', dryRun: false })).toMatch(/E_/);
    expect(await readdir(path.dirname(game.root))).not.toContain(path.basename(game.root));
    expect((await readdir(path.join(moved, 'game/scene'))).sort()).toContain('start.txt');
    await rm(moved, { recursive: true });
  });
});
