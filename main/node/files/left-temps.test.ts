import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { toTempName } from './durable-file.ts';
import { removeLeftTemps } from './left-temps.ts';

it('removes the temp files of programs that were killed, and nothing else', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'temps-'));
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
  const young = `.${toTempName()}`;
  const others = ['game.json', 'notes.tmp', '.tmp'];
  for (const name of [`.${toTempName()}`, ...others]) {
    await writeFile(path.join(folder, name), 'x');
    await utimes(path.join(folder, name), old, old);
  }
  await writeFile(path.join(folder, young), 'x');
  removeLeftTemps(folder);
  expect((await readdir(folder)).sort()).toEqual([...others, young].sort());
  removeLeftTemps(path.join(folder, 'missing'));
  await rm(folder, { recursive: true });
});
