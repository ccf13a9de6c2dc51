import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { createDirectWriter } from '../core/capability/client/direct-writer.ts';
import { readStoryBible } from '../core/project/story-bible-file.ts';
import { createProposalService } from '../core/proposal/proposal-service.ts';
import { generateCharacterProfile } from './generate-character-profile.ts';
import { updateMemory } from './update-memory.ts';

const BIBLE = 'story-bible.md';
let game: ProjectFolder;
let bench: ReturnType<typeof createToolBench>;

const direct = (locale: 'zh-CN' | 'en' = 'en') =>
  createToolBench(
    [updateMemory, generateCharacterProfile],
    {
      reader: game.reader,
      writer: createDirectWriter({ writer: game.writer, label: () => ({ group: 'g', title: 't' }) }),
    },
    { locale },
  );

beforeEach(async () => {
  game = await createProjectFolder({
    'game/scene/start.txt':
      'changeFigure:yukino_smile.png -next;\n雪乃:海边真美;\n主角:是啊;\n雪乃:我们|走吧;\n:风吹过;\nchangeScene:rain.txt;\n',
    'game/scene/rain.txt': '雪乃:下雨了;\n说得更多;\n雪乃2:不是我;\n',
    'game/figure/yukino.png': new Uint8Array(3000),
    'game/figure/readme.txt': 'x',
  });
  bench = direct();
});
afterEach(() => game.dispose());

describe('update_memory', () => {
  test('adds, changes, renames and removes sections, each with a snapshot', async () => {
    const created = await bench.value('update_memory', {
      action: 'create',
      title: 'Yukino',
      knowledge_to_store: 'cold',
    });
    expect(created).toEqual({ id: 'Yukino', applied: true, snapshotId: expect.any(String), entries: ['Yukino'] });
    expect(await game.text(BIBLE)).toBe('# Story bible\n\n## Yukino\n\ncold\n');
    await bench.value('update_memory', { action: 'create', title: 'Tone', knowledge_to_store: 'warm' });
    await bench.value('update_memory', {
      ...{ action: 'update', existing_knowledge_id: 'Yukino', title: '雪乃', knowledge_to_store: 'kind' },
    });
    expect(await game.text(BIBLE)).toBe('# Story bible\n\n## 雪乃\n\nkind\n\n## Tone\n\nwarm\n');
    expect(await bench.value('update_memory', { action: 'delete', existing_knowledge_id: 'Tone' })).toMatchObject({
      id: 'Tone',
      entries: ['雪乃'],
    });
    expect(await game.text(BIBLE)).toBe('# Story bible\n\n## 雪乃\n\nkind\n');
    expect((await game.snapshots.list({ pathPrefix: BIBLE })).length).toBe(4);
  });

  test('names a note about a scene that an update loses, and keeps it in a heading', async () => {
    await game.put(BIBLE, '# B\n\n## Secret（从 rain 起）\n\nBoth know (from rain on).\n');
    const id = 'Secret（从 rain 起）';
    const update = { action: 'update', existing_knowledge_id: id };
    const lost = await bench.value('update_memory', { ...update, knowledge_to_store: 'Both know.' });
    expect(lost).toMatchObject({ id, note: expect.stringContaining('"from rain on"') });
    const kept = await bench.value('update_memory', { ...update, knowledge_to_store: 'All know (from rain on).' });
    expect(kept).not.toHaveProperty('note');
    expect(await game.text(BIBLE)).toBe('# B\n\n## Secret（从 rain 起）\n\nAll know (from rain on).\n');
  });

  test('keeps the user’s own text, line endings and byte order mark', async () => {
    await game.put(BIBLE, '\uFEFF# Mine\r\n\r\nNote to self.\r\n\r\n## A\r\n\r\nold\r\n\r\n## B\r\nkeep me\r\n');
    await bench.value('update_memory', {
      action: 'update',
      existing_knowledge_id: 'A',
      knowledge_to_store: 'new\nlines',
    });
    expect(await game.text(BIBLE)).toBe(
      '\uFEFF# Mine\r\n\r\nNote to self.\r\n\r\n## A\r\n\r\nnew\r\nlines\r\n\r\n## B\r\nkeep me\r\n',
    );
  });

  test('drafts changes in the app, which have no effect before they are accepted', async () => {
    const clock = { now: () => 1, id: () => 'id' };
    const { reader, writer } = game;
    const proposals = createProposalService({ reader, writer, emit: () => {}, clock, locale: () => 'zh-CN' });
    proposals.begin('turn', async () => {});
    bench = createToolBench(
      [updateMemory],
      { reader: proposals.reader, writer: proposals.writer },
      { locale: 'zh-CN' },
    );
    const drafted = await bench.value('update_memory', { action: 'create', title: '语气', knowledge_to_store: '温柔' });
    expect(drafted).toMatchObject({ id: '语气', applied: false, drafted: true });
    expect([await game.text(BIBLE), await readStoryBible(reader)]).toEqual([null, null]);
    const proposal = await proposals.finish('done');
    await proposals.accept({ id: proposal?.id ?? '' }, { group: 'g', title: 't' });
    expect(await readStoryBible(reader)).toBe('# 故事设定集\n\n## 语气\n\n温柔\n');
  });

  test.each([
    [{ action: 'create', title: 'A' }, 'E_BAD_ARGS'],
    [{ action: 'create', knowledge_to_store: 'x' }, 'E_BAD_ARGS'],
    [{ action: 'create', title: ' ## \n', knowledge_to_store: 'x' }, 'E_BAD_ARGS'],
    [{ action: 'update', knowledge_to_store: 'x' }, 'E_BAD_ARGS'],
    [{ action: 'delete' }, 'E_BAD_ARGS'],
    [{ action: 'forget' }, 'E_BAD_ARGS'],
    [{ action: 'create', title: 'A', knowledge_to_store: 'x', path: '../x' }, 'E_BAD_ARGS'],
    [{ action: 'create', title: 'A', knowledge_to_store: 'x'.repeat(8001) }, 'E_BAD_ARGS'],
    [{ action: 'create', title: 'A', knowledge_to_store: '\ud800' }, 'E_ENCODING'],
    [{ action: 'delete', existing_knowledge_id: '__proto__' }, 'E_NOT_FOUND'],
    [{ action: 'create', title: 'B', knowledge_to_store: 'x' }, 'E_CONFLICT'],
    [{ action: 'update', existing_knowledge_id: 'C', title: 'B', knowledge_to_store: 'x' }, 'E_CONFLICT'],
  ])('refuses %j with %s', async (input, code) => {
    const before = '## B\n\nthere\n\n## C\n\ntoo\n';
    await game.put(BIBLE, before);
    expect(await bench.code('update_memory', input)).toBe(code);
    expect(await game.text(BIBLE)).toBe(before);
  });

  test('limits the size of the story bible', async () => {
    await game.put(BIBLE, `## Long\n\n${'x'.repeat(31_990)}\n\n## B\n\nb\n`);
    const more = { action: 'create', title: 'More', knowledge_to_store: 'y' };
    expect(await bench.code('update_memory', more)).toBe('E_TOO_LARGE');
    await bench.value('update_memory', { action: 'delete', existing_knowledge_id: 'B' });
    expect((await readStoryBible(game.reader))?.length).toBeLessThan(32_100);
  });

  test('leaves a file that is not text unchanged', async () => {
    await game.put(BIBLE, new Uint8Array([0xc4, 0xe3, 0xba]));
    expect(await bench.code('update_memory', { action: 'create', title: 'A', knowledge_to_store: 'x' })).toBe(
      'E_ENCODING',
    );
    expect(await readStoryBible(game.reader)).toBeNull();
  });

  test('changes no file but the story bible, whatever the arguments', async () => {
    const word = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('## A', '../x', '\n# B\n', '```', '\0'));
    const input = fc.record(
      {
        action: fc.constantFrom('create', 'update', 'delete', 'x'),
        title: word,
        knowledge_to_store: word,
        existing_knowledge_id: fc.oneof(word, fc.constant('Kept')),
      },
      { requiredKeys: ['action'] },
    );
    await game.put(BIBLE, '## Kept\n\nk\n');
    const scene = await game.text('game/scene/start.txt');
    await fc.assert(
      fc.asyncProperty(input, async (one) => {
        const { ok, error } = await bench.call('update_memory', one);
        if (!ok) expect(error?.code).not.toBe('E_INTERNAL');
      }),
      { numRuns: 60 },
    );
    expect((await game.reader.list('.')).map((entry) => entry.path)).toEqual(['game', BIBLE]);
    expect(await game.text('game/scene/start.txt')).toBe(scene);
  });
});

describe('generate_character_profile', () => {
  test('writes facts about a character from the game', async () => {
    const input = { name: '雪乃', imageFile: 'yukino.png', defaultExpression: '微笑' };
    const profile =
      '- 立绘：yukino.png (PNG, 3 KB)\n- 默认表情：微笑\n- 台词：4\n- 出场场景：rain.txt（2 句）、start.txt（2 句）\n' +
      '- 说话时出现的立绘：yukino_smile.png\n- 台词摘录：\n  - 下雨了\n  - 说得更多\n  - 海边真美\n  - 我们 走吧';
    bench = direct('zh-CN');
    expect(await bench.value('generate_character_profile', input)).toEqual({
      success: true,
      id: '人物：雪乃',
      applied: true,
      snapshotId: expect.any(String),
      profile,
    });
    expect(await game.text(BIBLE)).toBe(`# 故事设定集\n\n## 人物：雪乃\n\n${profile}\n`);
    expect(await bench.code('generate_character_profile', input)).toBe('E_CONFLICT');
    expect(await direct('en').code('generate_character_profile', input)).toBe('E_CONFLICT');
  });

  test('writes a profile of a character without lines', async () => {
    const input = { name: 'Silent', imageFile: 'game/figure/yukino.png' };
    expect(await bench.value('generate_character_profile', input)).toMatchObject({
      profile: '- Figure: yukino.png (PNG, 3 KB)\n- Lines spoken: 0',
    });
  });

  test.each([
    [{ name: 'A', imageFile: 'none.png' }, 'E_NOT_FOUND'],
    [{ name: 'A', imageFile: '../scene/start.txt' }, 'E_DENY_PATH'],
    [{ name: 'A', imageFile: '/etc/passwd' }, 'E_DENY_PATH'],
    [{ name: 'A', imageFile: 'readme.txt' }, 'E_BAD_ARGS'],
    [{ name: 'A', imageFile: '.' }, 'E_BAD_ARGS'],
    [{ name: '#\n', imageFile: 'yukino.png' }, 'E_BAD_ARGS'],
    [{ name: '', imageFile: 'yukino.png' }, 'E_BAD_ARGS'],
    [{ imageFile: 'yukino.png' }, 'E_BAD_ARGS'],
    [{ name: 'A', imageFile: 'yukino.png', extra: 1 }, 'E_BAD_ARGS'],
  ])('refuses %j with %s', async (input, code) => {
    expect(await bench.code('generate_character_profile', input)).toBe(code);
    expect(await game.text(BIBLE)).toBeNull();
  });
});
