import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findOwnEngine, readGameEngine } from './game-engine.ts';

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

/** Writes the source of an engine with the command `hotspot`, as a fork has it. */
async function writeSource(folder: string): Promise<void> {
  const core = path.join(folder, 'src/Core');
  const table = NAMES.map((name) => `  ${name}: ScriptConfig(commandType.${name}, ${name}),`).join('\n');
  await mkdir(path.join(core, 'parser'), { recursive: true });
  await mkdir(path.join(core, 'gameScripts/pixi/performs'), { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "version": "4.6.4" }');
  await writeFile(path.join(core, 'parser/sceneParser.ts'), `defineScripts({\n${table}\n});`);
  const reads = Array.from({ length: 25 }, (_, at) => `getNumberArgByKey(sentence, 'argument${at}');`).join('\n');
  await writeFile(path.join(core, 'gameScripts/hotspot.tsx'), reads);
  await writeFile(path.join(core, 'gameScripts/pixi/performs/mist.ts'), "registerPerform('mist', {});");
}

it.each([
  ['packages/webgal', 'packages/webgal/public'],
  ['fork/packages/webgal', '.'],
  ['packages/webgal', '.'],
])('reads an engine in source: in %s, for a game in %s', async (engineFolder, gameFolder) => {
  await writeSource(path.join(root, engineFolder));
  const place = { root: path.join(root, gameFolder), shape: 'game' as const };
  await mkdir(place.root, { recursive: true });
  const found = await readGameEngine(place);
  expect(found.engineVersion).toBe('4.6.4');
  expect(found.engine?.commands).toContain('hotspot');
  expect(found.engine?.arguments).toContain('argument24');
  expect(found.engine?.effects).toEqual(['mist']);
  await writeFile(path.join(place.root, 'index.html'), '<p>A page about the game.</p>');
  expect(await findOwnEngine(place, found)).toBeNull();
  expect((await readGameEngine({ ...place, visible: ['game'] })).engine).toBeNull();
});

it('prefers the built engine, and follows no link to another source', async () => {
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'elsewhere-'));
  await writeSource(elsewhere);
  await mkdir(path.join(root, 'packages/webgal'), { recursive: true });
  await symlink(path.join(elsewhere, 'src'), path.join(root, 'packages/webgal/src'));
  expect((await readGameEngine(location())).engine).toBeNull();
  await rm(path.join(root, 'packages'), { recursive: true });
  await writeSource(path.join(root, 'packages/webgal'));
  await writeFile(path.join(root, 'assets/index-aa.js'), bundle('4.2.7'));
  expect((await readGameEngine(location())).engineVersion).toBe('4.2.7');
  await rm(elsewhere, { recursive: true, force: true });
});
