import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readGameEngine } from './game-engine.ts';

const NAMES = ['changeBg', 'changeFigure', 'bgm', 'choose', 'end', 'label', 'jumpLabel', 'setVar', 'intro', 'hotspot'];
const bundle = (version: string) =>
  `"WebGAL ${version}";[${NAMES.map((name) => `{scriptString:"${name}",scriptType:J.x}`).join()}]`;

let root: string;
const location = () => ({ root, shape: 'export' as const });

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'engine-'));
  await mkdir(path.join(root, 'assets'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('reads version and commands of the engine that the page loads', async () => {
  await writeFile(path.join(root, 'index.html'), '<script src="./assets/index.bb.js"></script>');
  await writeFile(path.join(root, 'assets/index.aa.js'), bundle('4.2.7'));
  await writeFile(path.join(root, 'assets/index.bb.js'), bundle('4.4.3'));
  const { engineVersion, engine } = await readGameEngine(location());
  expect([engineVersion, engine?.commands.includes('hotspot')]).toEqual(['4.4.3', true]);
});

it('uses the version that webgal-engine.json names', async () => {
  await writeFile(path.join(root, 'webgal-engine.json'), '{"webgalVersion":"4.6.0"}');
  await writeFile(path.join(root, 'assets/index-aa.js'), bundle('4.2.7'));
  expect((await readGameEngine(location())).engineVersion).toBe('4.6.0');
});

it('does not follow links, read large files, or look beside a lone game folder', async () => {
  await writeFile(path.join(root, 'other.js'), bundle('4.2.7'));
  await symlink(path.join(root, 'other.js'), path.join(root, 'assets/index-link.js'));
  await writeFile(path.join(root, 'assets/index-large.js'), `${bundle('4.2.7')}${' '.repeat(8 * 1024 * 1024)}`);
  const none = { engineVersion: '4.5.18', engine: null };
  expect(await readGameEngine(location())).toEqual(none);
  await writeFile(path.join(root, 'assets/index-plain.js'), bundle('4.2.7'));
  expect(await readGameEngine({ ...location(), visible: ['game'] })).toEqual(none);
  expect((await readGameEngine(location())).engineVersion).toBe('4.2.7');
});

it('falls back to the own version for invalid files', async () => {
  await writeFile(path.join(root, 'webgal-engine.json'), '[[[');
  await writeFile(path.join(root, 'assets/index-aa.js'), 'alert(1)');
  expect(await readGameEngine(location())).toEqual({ engineVersion: '4.5.18', engine: null });
});
