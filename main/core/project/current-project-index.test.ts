import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { diagnoseProject } from '../../../shared/script/diagnostics/diagnose.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import { createReader } from '../../node/project-fs/project-files.ts';
import { createProjectTree } from '../../node/project-fs/project-tree.ts';
import { toLimitedReader } from '../capability/runner/granted-ports.ts';
import type { Reader } from '../ports/reader.ts';
import { createOverlay } from '../proposal/overlay.ts';
import { currentProjectIndex, readProjectIndex } from './read-project-index.ts';

let game: ProjectFolder | undefined;
let close: (() => void) | undefined;
afterEach(async () => {
  close?.();
  await game?.dispose();
});

async function start(): Promise<{ game: ProjectFolder; reader: Reader }> {
  game = await createProjectFolder({
    'game/scene/start.txt': 'changeBg:a.png;\nA:{x};\nend;',
    'game/config.txt': 'Game_name:x;\nGame_key:x;',
  });
  const tree = createProjectTree(game.root);
  close = tree.close;
  return { game, reader: createReader(game.root, { tree }) };
}

const scene = fc.constantFrom('start.txt', 'two.txt', 'sub/three.txt');
const text = fc
  .array(
    fc.constantFrom(
      'changeBg:a.png;',
      'changeBg:b.png;',
      'setVar:x=1;',
      'A:{x} hi;',
      'B:{y};',
      'label:l;',
      'jumpLabel:l -when=x>1;',
      'changeScene:two.txt;',
      'choose:go:sub/three.txt|stay:l;',
      'callScene:two.txt;',
      'changeFigure:f.png -id=i;',
      'changeFigure:m.json;',
      'setAnimation:shake -target=i;',
      'end;',
    ),
    { maxLength: 6 },
  )
  .map((lines) => lines.join('\n'));
const step = fc.oneof(
  fc.record({ file: scene.map((name) => `game/scene/${name}`), text }),
  fc.record({
    file: fc.constantFrom('game/background/a.png', 'game/background/A.png', 'game/figure/m.json'),
    text: fc.constant(''),
  }),
  fc.record({ file: fc.constant('game/animation/animationTable.json'), text: fc.constantFrom('["shake"]', '[]', '{') }),
  fc.record({ file: fc.constant('game/check.json'), text: fc.constantFrom('{}', '{"severities":{"end":"off"}}') }),
  fc.record({ file: scene.map((name) => `game/scene/${name}`), text: fc.constant(null) }),
  fc.record({ file: fc.constant('game/scene/sub'), text: fc.constant(null) }),
);

it('gives the same findings from the cached index as from a new one', async () => {
  const { game, reader } = await start();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 4 }), async (rounds) => {
      for (const steps of rounds) {
        for (const { file, text } of steps) {
          if (text === null) await rm(path.join(game.root, file), { recursive: true, force: true });
          else await game.put(file, text);
        }
        const kept = diagnoseProject(await currentProjectIndex(reader), { locale: 'en' });
        const fresh = diagnoseProject(await readProjectIndex(game.reader), { locale: 'en' });
        expect(kept).toEqual(fresh);
      }
    }),
    { numRuns: 60, interruptAfterTimeLimit: 30_000 },
  );
}, 60_000);

it('gives the same findings with drafts over a changing disk', async () => {
  const { game, reader } = await start();
  const { reader: overlaid, ...overlay } = createOverlay(reader);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.tuple(fc.constantFrom('disk', 'lay', 'lift'), step), { maxLength: 4 }), { maxLength: 4 }),
      async (rounds) => {
        for (const steps of rounds) {
          for (const [where, { file, text }] of steps) {
            if (where === 'lay') await overlay.set(file, text);
            else if (where === 'lift') overlay.remove(file);
            else if (text === null) await rm(path.join(game.root, file), { recursive: true, force: true });
            else await game.put(file, text);
          }
          const plain = createOverlay(game.reader);
          for (const [file, text] of overlay.texts()) await plain.set(file, text);
          for (const file of overlay.hidden()) await plain.set(file, null);
          const kept = diagnoseProject(await currentProjectIndex(overlaid), { locale: 'en' });
          const fresh = diagnoseProject(await readProjectIndex(plain.reader), { locale: 'en' });
          expect(kept).toEqual(fresh);
        }
        overlay.clear();
      },
    ),
    { numRuns: 60, interruptAfterTimeLimit: 30_000 },
  );
}, 60_000);

it('reads only the drafted file for a draft', async () => {
  const { game, reader } = await start();
  const read: string[] = [];
  const overlay = createOverlay({
    ...reader,
    read: (file, options) => {
      read.push(file);
      return reader.read(file, options);
    },
    readTexts: async (files) => {
      read.push(...files);
      return (await reader.readTexts?.(files)) ?? [];
    },
  });
  await currentProjectIndex(overlay.reader);
  expect(read).toContain('game/scene/start.txt');
  read.length = 0;
  await overlay.set('game/scene/two.txt', 'A:hi;');
  expect((await currentProjectIndex(overlay.reader)).scene('game/scene/two.txt')?.text).toBe('A:hi;');
  await game.put('game/scene/start.txt', 'end;');
  expect((await currentProjectIndex(overlay.reader)).scene('game/scene/start.txt')?.text).toBe('end;');
  expect(read).toEqual(['game/scene/start.txt']);
});

it('caches an index of the folders that the policy file does not close', async () => {
  const { game, reader } = await start();
  await game.put('game/scene/closed/one.txt', 'end;');
  const limits = { closedFolders: ['game/scene/closed'], maxReadBytes: null };
  const first = await currentProjectIndex(toLimitedReader(reader, limits));
  expect(first.files.has('game/scene/closed/one.txt')).toBe(false);
  await game.put('game/scene/closed/two.txt', 'end;');
  await game.put('game/scene/open.txt', 'end;');
  const second = await currentProjectIndex(toLimitedReader(reader, { ...limits }));
  expect(second).toBe(first);
  const has = (path: string) => second.files.has(path) || second.scene(path) !== undefined;
  expect(['closed/one.txt', 'closed/two.txt', 'open.txt'].map((name) => has(`game/scene/${name}`))).toEqual([
    false,
    false,
    true,
  ]);
  const other = await currentProjectIndex(
    toLimitedReader(reader, { ...limits, closedFolders: [], maxReadBytes: 4096 }),
  );
  expect(other.files.has('game/scene/closed/two.txt')).toBe(true);
});

it('reuses the index of an unchanged game, and reads a new one for another engine', async () => {
  const { reader } = await start();
  const first = await currentProjectIndex(reader);
  expect(await currentProjectIndex(reader)).toBe(first);
  expect(await currentProjectIndex(reader, { engineVersion: '4.4.0' })).not.toBe(first);
});

it('detects changes of the Live2D runtime beside the folder', async () => {
  const { game, reader } = await start();
  const has = async () => (await currentProjectIndex(reader)).files.has('lib/live2d.min.js');
  expect(await has()).toBe(false);
  await game.put('lib/live2d.min.js', '');
  expect(await has()).toBe(true);
  await game.remove('lib');
  expect(await has()).toBe(false);
});

it('continues after an aborted call', async () => {
  const { game, reader } = await start();
  await currentProjectIndex(reader);
  await rename(path.join(game.root, 'game'), path.join(game.root, 'old'));
  await mkdir(path.join(game.root, 'game'));
  await game.put('game/scene/start.txt', 'A:other;');
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(currentProjectIndex(reader, { signal: stopped })).rejects.toThrow('stopped');
  expect((await currentProjectIndex(reader)).scene('game/scene/start.txt')?.text).toBe('A:other;');
});
