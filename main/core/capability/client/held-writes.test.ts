import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../../../tests/support/games/project-folder.ts';
import { createHeldWrites, type HeldWrites } from './held-writes.ts';

const START = 'game/scene/start.txt';
const INN = 'game/scene/inn.txt';
const TEXT = ':The sea is calm, and the road leads on to the inn.;\nchangeScene:inn.txt;\n';

let game: ProjectFolder;
let held: HeldWrites;

beforeEach(async () => {
  game = await createProjectFolder({ [START]: TEXT, [INN]: ':Warm.;\nend;\n' });
  held = createHeldWrites({ ...game, engine: async () => undefined, canAsk: false });
});
afterEach(() => game.dispose());

async function write(path: string, text: string | null) {
  const base = (await game.reader.stat(path)) === null ? null : (await game.reader.read(path)).version;
  return held.writer.apply([{ path, text, base }], { origin: 'agent', group: 'mcp', title: 'MCP' }).then(
    () => 'written',
    (error: { reason?: string; details?: { issues?: string[] } }) => error.details?.issues?.join() ?? error.reason,
  );
}

it.each([
  ['a command outside of the story', START, `callSteam:1;\n${TEXT}`, 'command:callSteam'],
  ['a remote address', START, `changeBg:https://example.invalid/a.png;\n${TEXT}`, 'url:'],
  ['a path that leaves its folder', START, `changeBg:../../secret.png;\n${TEXT}`, 'folder:'],
  ['a placeholder', START, `:Go to {place}.;\n${TEXT}`, 'placeholder:place'],
  ['less than half of a scene', START, 'end;\n', 'shrink:'],
  ['the removal of a scene that others reach', INN, null, 'reached:'],
])('refuses %s, and writes it once it is approved', async (_name, path, text, issue) => {
  expect(await write(path, text)).toContain(issue);
  expect(await game.text(START)).toBe(TEXT);
  const base = (await game.reader.read(path)).version;
  const refused = held.writer.apply([{ path, text, base }], { origin: 'agent', group: 'mcp', title: 'MCP' });
  const { details } = await refused.then(
    () => ({ details: undefined }),
    (error: { details: Record<string, unknown> }) => error,
  );
  const taken = held.take(details);
  expect(taken?.texts).toMatchObject([{ path, after: text }]);
  expect(held.take(details)).toBeNull();
  const revoke = held.approve(taken ?? { texts: [], issues: [] });
  // Another text than the approved one.
  expect(await write(path, `callSteam:2;\n${TEXT}`)).toContain('command:callSteam');
  expect(await write(path, text)).toBe('written');
  revoke();
  expect(await game.text(path)).toBe(text);
});

it('lets what is not blocked pass, and files that the engine does not read', async () => {
  expect(await write(START, `${TEXT}:More.;\n`)).toBe('written');
  expect(await write('notes.txt', 'https://example.invalid {x}')).toBe('written');
});

it('lets a kept text of the same file come back, and a file that a write created go', async () => {
  const long = `${TEXT}${Array.from({ length: 20 }, (_, at) => `:line ${at};\n`).join('')}`;
  expect(await write(START, long)).toBe('written');
  expect(await write(START, TEXT.replace('calm', 'wild'))).toContain('shrink:');
  expect(await write(START, TEXT)).toBe('written');
  expect(await write('game/scene/new.txt', 'end;\n')).toBe('written');
  expect(await write(START, `${TEXT}changeScene:new.txt;\n`)).toBe('written');
  expect(await write('game/scene/new.txt', null)).toBe('written');
});

it('leaves a file that changed to the writer, which says so', async () => {
  const stale = [{ path: START, text: 'end;\n', base: 'other' }];
  await expect(held.writer.apply(stale, { origin: 'agent', group: 'mcp', title: 'MCP' })).rejects.toMatchObject({
    code: 'E_CONFLICT',
  });
});

it('measures a scene that is cut in slices with the text before the first of them', async () => {
  const lines = Array.from({ length: 20 }, (_, at) => `:Line ${at} of the long rain.;\n`);
  await writeFile(join(game.root, INN), lines.join(''));
  expect(await write(INN, lines.slice(0, 14).join(''))).toBe('written');
  expect(await write(INN, lines.slice(0, 8).join(''))).toContain('shrink:');
  expect(await write(INN, lines.slice(0, 11).join(''))).toBe('written');
});
