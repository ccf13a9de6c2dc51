import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDirectWriter } from '../../main/core/capability/client/direct-writer.ts';
import type { ToolPorts } from '../../main/core/capability/define-tool.ts';
import { createProposalService } from '../../main/core/proposal/proposal-service.ts';
import { createMatcher } from '../../main/node/search/matcher.ts';
import { tools } from '../../main/tools/index.ts';
import { STORY_BIBLE_PATH } from '../../shared/model/story-bible.ts';
import { createProjectFolder, type ProjectFolder } from '../support/games/project-folder.ts';
import { createToolBench } from '../support/tool-bench.ts';

/** Models send several calls at once; reading, computing and writing must be atomic in each. */

const FILE = 'game/scene/start.txt';
const OTHER = 'game/scene/other.txt';
const WORDS = ['one', 'two', 'three', 'four', 'five', 'six'];
const TEXT = WORDS.map((word) => `甲:${word};\n`).join('');
const matcher = createMatcher();

let game: ProjectFolder;
let bench: ReturnType<typeof createToolBench>;
/** The text that a reader receives now. */
let read: (path: string) => Promise<string>;

function open(host: 'direct' | 'drafted'): void {
  const proposals = createProposalService({
    ...{ reader: game.reader, writer: game.writer, emit: () => undefined },
    ...{ clock: { now: Date.now, id: () => 'id' }, locale: () => 'en' as const },
  });
  proposals.begin('turn', async () => undefined);
  const label = () => ({ group: 'group', title: 'title' });
  const ports: Partial<ToolPorts> =
    host === 'drafted'
      ? { reader: proposals.reader, writer: proposals.writer, matcher }
      : { reader: game.reader, writer: createDirectWriter({ writer: game.writer, label }), matcher };
  bench = createToolBench(tools, ports);
  read = async (path) => (await (ports.reader ?? game.reader).read(path)).text;
}

beforeEach(async () => {
  game = await createProjectFolder({ [FILE]: TEXT, [OTHER]: TEXT, 'game/figure/yukino.png': 'x' });
});
afterEach(() => game.dispose());
afterAll(() => matcher.close());

const toPatch = (paths: string[], word: string) =>
  `*** Begin Patch\n${paths.map((path) => `*** Update File: ${path}\n@@\n-甲:${word};\n+乙:${word};\n`).join('')}*** End Patch`;

const toNewFiles = (paths: string[]) =>
  `*** Begin Patch\n${paths.map((path) => `*** Add File: ${path}\n+x\n`).join('')}*** End Patch`;

describe.each(['direct', 'drafted'] as const)('concurrent calls, %s', (host) => {
  beforeEach(() => open(host));

  test('replace six words of one file', async () => {
    const calls = WORDS.map((word) =>
      bench.value('replace_in_file', { path: FILE, find: `甲:${word};`, replace: word }),
    );
    expect(await Promise.all(calls)).toEqual(WORDS.map(() => expect.objectContaining({ count: 1 })));
    expect(await read(FILE)).toBe(WORDS.map((word) => `${word}\n`).join(''));
  });

  test('apply patches that name two files in either order', async () => {
    await Promise.all(
      WORDS.map((word, index) =>
        bench.value('apply_patch', { patch_text: toPatch(index % 2 ? [FILE, OTHER] : [OTHER, FILE], word) }),
      ),
    );
    const wanted = WORDS.map((word) => `乙:${word};\n`).join('');
    expect([await read(FILE), await read(OTHER)]).toEqual([wanted, wanted]);
  });

  test('add six notes and a profile to the story bible', async () => {
    const notes = WORDS.map((title) =>
      bench.value('update_memory', { action: 'create', title, knowledge_to_store: `about ${title}` }),
    );
    const profile = bench.value('generate_character_profile', { name: '甲', imageFile: 'yukino.png' });
    await Promise.all([...notes, profile]);
    const text = await read(STORY_BIBLE_PATH);
    for (const word of WORDS) expect(text).toContain(`about ${word}`);
    expect(text).toContain('yukino.png');
  });

  test('are not blocked by a failing one', async () => {
    const [bad, good] = await Promise.all([
      bench.call('apply_patch', { patch_text: toPatch([FILE], 'seven') }),
      bench.call('replace_in_file', { path: FILE, find: 'one', replace: '1' }),
    ]);
    expect([bad.ok, good.ok]).toEqual([false, true]);
  });

  test.each(['game/scene/Start.txt', 'game/Scene/new.txt', 'Game/scene/new.txt'])(
    'are refused for %s, which differs from an existing name only in case',
    async (path) => {
      expect(await bench.code('write_to_file', { path, content: 'x', dryRun: true })).toBe('E_DENY_PATH');
      expect(await bench.code('write_to_file', { path, content: 'x', dryRun: false })).toBe('E_DENY_PATH');
      expect(await bench.code('apply_patch', { patch_text: toNewFiles([path]) })).toBe('E_DENY_PATH');
      expect(await game.text(path)).toBe(null);
    },
  );

  test('create at most one of two files whose names differ only in case', async () => {
    expect(await bench.code('apply_patch', { patch_text: toNewFiles(['game/Q1.txt', 'game/q1.txt']) })).toBe(
      'E_DENY_PATH',
    );
    const codes = ['game/Q1.txt', 'game/q1.txt'].map((path) =>
      bench.code('apply_patch', { patch_text: toNewFiles([path]) }),
    );
    expect(await Promise.all(codes)).toEqual([undefined, 'E_DENY_PATH']);
  });
});
