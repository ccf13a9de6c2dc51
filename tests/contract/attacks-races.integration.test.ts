import { mkdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { type AttackedGame, createAttackedGame, TEXT } from '../support/attacks/attacked-game.ts';

/** A path is repeatedly swapped for a link between check and use. Nothing is read or written through the link. */

let game: AttackedGame;
beforeEach(async () => {
  game = await createAttackedGame();
});
afterEach(() => game.dispose());

const pause = () => new Promise((resolve) => setImmediate(resolve));

/** Swaps `own` for a link to `target` and back until stopped, removing whatever was created in its place. */
function startSwapping(own: string, target: string): { stop(): Promise<void> } {
  const away = `${own}-away`;
  let swapping = true;
  // A folder can be filled while it is emptied; then it is emptied again.
  const clear = () => rm(own, { recursive: true, force: true, maxRetries: 20, retryDelay: 1 }).catch(() => undefined);
  const work = (async () => {
    while (swapping) {
      await rename(own, away).catch(() => undefined);
      await clear();
      await symlink(target, own).catch(() => undefined);
      await pause();
      await unlink(own).catch(clear);
      await rename(away, own).catch(() => undefined);
      await pause();
    }
    while (
      await rename(away, own).then(
        () => false,
        (error: { code?: string }) => error.code !== 'ENOENT',
      )
    )
      await clear();
  })();
  return {
    stop() {
      swapping = false;
      return work;
    },
  };
}

describe.skipIf(process.platform === 'win32')('races with a link', () => {
  test('in place of a folder of the game', async () => {
    const folder = path.join(game.root, 'game/swap');
    await mkdir(folder);
    await writeFile(path.join(folder, 'start.txt'), TEXT);
    const swapping = startSwapping(folder, path.join(game.outside, 'scene'));
    for (let turn = 0; turn < 25; turn += 1) {
      const content = `${turn}\n`;
      const file = { path: 'game/swap/start.txt' };
      await Promise.all([
        game.attack('read_file', file),
        game.attack('search_files', { path: 'game/swap', regex: 'CANARY' }),
        game.attack('list_files', { path: 'game', globs: ['swap/**'] }),
        game.attack('write_to_file', { ...file, content, dryRun: true }),
        game.attack('write_to_file', { path: `game/swap/new/${turn}.txt`, content, dryRun: true }),
      ]);
      await Promise.all([
        game.attack('write_to_file', { ...file, content, dryRun: false }),
        game.attack('write_to_file', { path: `game/swap/new/${turn}.txt`, content, dryRun: false }),
        game.attack('replace_in_file', { ...file, find: '雪乃', replace: '甲' }),
      ]);
    }
    await game.attack('delete_file', { path: 'game/swap/start.txt' });
    await swapping.stop();
    await game.expectUntouched();
  }, 90_000);

  test('in place of a file of the game', async () => {
    await game.put('game/scene/swap.txt', TEXT);
    const swapping = startSwapping(path.join(game.root, 'game/scene/swap.txt'), path.join(game.outside, 'secret.txt'));
    for (let turn = 0; turn < 25; turn += 1) {
      await Promise.all([
        game.attack('read_file', { path: 'game/scene/swap.txt' }),
        game.attack('grep', { path: 'game/scene', pattern: 'CANARY', glob: 'swap.txt' }),
        game.attack('validate_script', { path: 'game/scene/swap.txt' }),
        game.attack('codebase_search', { query: 'CANARY' }),
        game.attack('replace_in_file', { path: 'game/scene/swap.txt', find: '/你好|CANARY|再见/', replace: `${turn}` }),
      ]);
    }
    await swapping.stop();
    await game.expectUntouched();
  }, 90_000);

  test("in place of the app's own folders", async () => {
    await game.attack('replace_in_file', { path: 'game/scene/start.txt', find: '你好', replace: '您好' });
    const parts = ['snapshots', 'journal', 'tmp'].map((part) => path.join(game.root, '.webgal_agent', part));
    const swaps = parts.map((part) => startSwapping(part, game.outside));
    for (let turn = 0; turn < 30; turn += 1) {
      await game.attack('replace_in_file', { path: 'game/scene/start.txt', find: '/.好|\\d+/', replace: `${turn}` });
      await game.attack('list_snapshots', {});
    }
    for (const swap of swaps) await swap.stop();
    // The next write first recovers the interrupted one.
    await game.value('replace_in_file', { path: 'game/scene/start.txt', find: '雪乃', replace: '甲' });
    await game.workspace.close();
    // A journal whose folder was missing at its removal stays for a later start: a recent one may belong to another
    // process.
    await rm(path.join(game.root, '.webgal_agent/journal'), { recursive: true });
    await game.expectUntouched();
  }, 90_000);
});
