import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../../tests/support/tool-bench.ts';
import { createProposalService } from '../../core/proposal/proposal-service.ts';
import { DRAFT_NOTE } from '../../core/proposal/text-change.ts';
import { createMatcher } from '../../node/search/matcher.ts';
import { tools } from '../index.ts';

const START = 'game/scene/start.txt';
const SCENE = '雪乃:海风真舒服，对吧？;\n海:嗯。;\nchangeBg:none -next;\n雪乃:走吧！;\nend;\n';
const matcher = createMatcher();
let game: ProjectFolder;
let bench: ReturnType<typeof createToolBench>;
const drafts = new Map<string, string | null>();

beforeEach(async () => {
  drafts.clear();
  game = await createProjectFolder({ [START]: SCENE, 'game/scene/win.txt': 'a:1;\r\nb:2;\r\n', 'game/config.txt': '' });
  const proposals = createProposalService({
    reader: game.reader,
    writer: game.writer,
    emit: () => {},
    clock: { now: () => 1, id: () => 'proposal' },
    locale: () => 'en',
  });
  proposals.begin('turn', async ({ path, text }) => void drafts.set(path, text));
  bench = createToolBench(tools, { reader: proposals.reader, writer: proposals.writer, matcher }, { forModel: true });
});
afterEach(() => game.dispose());
afterAll(() => matcher.close());

// biome-ignore lint/suspicious/noExplicitAny: answers are read by name, as by a model.
type Answer = any;
const value = (name: string, input: unknown): Promise<Answer> => bench.value(name, input);
const failure = async (name: string, input: unknown): Promise<Answer> => {
  const { ok, error } = await bench.call(name, input);
  expect(ok).toBe(false);
  return error;
};

describe('write_to_file for the model', () => {
  test('answers with counts, the lines around and new problems instead of both texts', async () => {
    await value('read_file', { path: START });
    const content = SCENE.replace('changeBg:none -next;', 'changeBg:sea.jpg -next;');
    const answer = await value('write_to_file', { path: START, content });
    expect(answer).toEqual({
      ...{ path: START, drafted: true, added: 1, removed: 1, version: expect.stringMatching(/^[0-9a-f]{8}$/) },
      lines:
        '1| 雪乃:海风真舒服，对吧？;\n2| 海:嗯。;\n- 1 line gone here\n+ 3| changeBg:sea.jpg -next;\n4| 雪乃:走吧！;\n5| end;',
      newProblems: [expect.objectContaining({ line: 3, message: expect.stringContaining('sea.jpg') })],
      note: DRAFT_NOTE,
    });
    expect(drafts.get(START)).toBe(content);
  });

  test('shows only the ends of a long change', async () => {
    await value('read_file', { path: START });
    const lines = Array.from({ length: 500 }, (_, index) => `:${index};`).join('\n');
    const answer = await value('write_to_file', { path: START, content: `${SCENE}${lines}\n` });
    expect(answer.added).toBe(500);
    expect(answer.lines).toContain('+ … 494 more new lines');
    expect(JSON.stringify(answer).length).toBeLessThan(3000);
  });

  test('refuses to overwrite a scene that this conversation has not read, and says how to go on', async () => {
    const write = { path: START, content: ':all new;\n' };
    const error = await failure('write_to_file', write);
    expect(error).toMatchObject({
      code: 'E_CONFLICT',
      reason: 'file.notRead',
      hint: expect.stringContaining('read_file'),
    });
    expect(drafts.size).toBe(0);
    await value('read_file', { path: START, limit: 1 });
    await value('write_to_file', write);
    bench.forget();
    expect((await failure('write_to_file', { ...write, content: 'x' })).reason).toBe('file.notRead');
  });

  test('an edit of an unread file does not count as a read', async () => {
    await value('replace_in_file', { path: START, find: '嗯。', replace: '嗯！' });
    await value('write_to_file', { path: START, content: ':x;\n', mode: 'append' });
    expect((await failure('write_to_file', { path: START, content: 'x' })).reason).toBe('file.notRead');
  });

  test('a change of the user after the read counts as unread', async () => {
    await value('read_file', { path: START });
    await game.put(START, 'edited;\n');
    expect((await failure('write_to_file', { path: START, content: 'x' })).reason).toBe('file.changedMeanwhile');
  });

  test('knows what it wrote itself', async () => {
    const path = 'game/scene/new.txt';
    await value('write_to_file', { path, content: ':a;\n' });
    await value('write_to_file', { path, content: ':b;\n' });
    expect(drafts.get(path)).toBe(':b;\n');
  });

  test.each([
    ['true', true],
    ['"true"', 'true'],
  ])('treats dryRun %s as the look that it asks for', async (_, dryRun) => {
    const answer = await value('write_to_file', { path: START, content: 'x', dryRun, idempotencyKey: 'k' });
    expect(answer).toMatchObject({ drafted: false, added: 1, note: expect.stringContaining('nothing was drafted') });
    expect(drafts.size).toBe(0);
  });

  test('keeps the presence of a last line break, which numbered lines do not show', async () => {
    for (const [before, content, after] of [
      ['a;\nb;', 'a;\nc;\n', 'a;\nc;'],
      ['a;\r\nb;', 'a;\nc;\n', 'a;\r\nc;'],
      ['a;\nb;\n', 'a;\nc;', 'a;\nc;\n'],
      ['a;\nb;', 'a;\nc;\n\n', 'a;\nc;\n\n'],
    ] as const) {
      const path = `game/scene/${drafts.size}.txt`;
      await game.put(path, before);
      await value('read_file', { path });
      await value('write_to_file', { path, content });
      expect(drafts.get(path)).toBe(after);
    }
  });

  test('appends on a line of its own', async () => {
    await game.put(START, 'a:1;');
    await value('write_to_file', { path: START, content: 'b:2;\n', mode: 'append' });
    expect(drafts.get(START)).toBe('a:1;\nb:2;\n');
  });
});

describe('replace_in_file for the model', () => {
  test('understands other widths and blanks, says so, and keeps the punctuation of the file', async () => {
    const answer = await value('replace_in_file', {
      ...{ path: START, find: '雪乃: 海风真舒服, 对吧?;', replace: '雪乃: 海风真冷, 对吧?;' },
    });
    expect(drafts.get(START)).toBe(SCENE.replace('真舒服', '真冷'));
    expect(answer).toMatchObject({ count: 1, note: expect.stringContaining('line 1 was taken') });
  });

  test('returns the nearest lines of a quotation that is not there', async () => {
    const error = await failure('replace_in_file', { path: START, find: '雪乃:海风很舒服，对吗？;', replace: 'x' });
    expect(error).toMatchObject({ code: 'E_NOT_FOUND', reason: 'text.notFound' });
    expect(error.details.nearest[0]).toEqual({
      line: 1,
      text: '1| 雪乃:海风真舒服，对吧？;',
      difference: '雪乃:海风«真≠很»舒服，对«吧≠吗»？;',
    });
    expect(drafts.size).toBe(0);
  });

  test('names the lines where a tolerant quotation is ambiguous', async () => {
    await game.put(START, '甲:好，走。;\n乙:来;\n丙:好， 走。;\n');
    const error = await failure('replace_in_file', { path: START, find: '好,走.', replace: 'x' });
    expect(error.message).toContain('2 times, in lines 1, 3');
    expect(error.details.lines).toEqual([1, 3]);
    expect(drafts.size).toBe(0);
  });

  test.each([
    ['line numbers', '2| 海:嗯。;\n3| changeBg:none -next;', '2| 海:嗯！;\n3| changeBg:none -next;'],
    ['escaped line breaks', '海:嗯。;\\nchangeBg:none -next;', '海:嗯！;\\nchangeBg:none -next;'],
  ])('understands a quotation with %s', async (_, find, replace) => {
    const answer = await value('replace_in_file', { path: START, find, replace });
    expect(drafts.get(START)).toBe(SCENE.replace('海:嗯。', '海:嗯！'));
    expect(answer.note).toMatch(/left out|line breaks/);
  });

  test('replaces every literal occurrence, with the line endings of the file', async () => {
    const answer = await value('replace_in_file', {
      path: 'game/scene/win.txt',
      find: 'a:1;\nb',
      replace: 'a:1;\n\nb',
    });
    expect([answer.count, drafts.get('game/scene/win.txt')]).toEqual([1, 'a:1;\r\n\r\nb:2;\r\n']);
    expect((await value('replace_in_file', { path: START, find: '。', replace: '……' })).count).toBe(1);
  });

  test.each([
    ['nothing would change', { find: '嗯。', replace: '嗯。' }, { drafted: false, added: 0 }],
    ['the arguments have the names of another agent', { old_string: '嗯。', new_string: '嗯！' }, { drafted: true }],
    ['a pattern is given', { find: '/嗯./u', replace: '嗯！' }, { drafted: true, count: 1 }],
  ])('answers when %s', async (_, input, expected) => {
    expect(await value('replace_in_file', { path: START, ...input })).toMatchObject(expected);
  });

  test('refuses a result that is too long before making it', async () => {
    const [find, replace] = [':', 'x'.repeat(3 << 20)];
    expect((await failure('replace_in_file', { path: START, find, replace })).code).toBe('E_TOO_LARGE');
  });
});

describe('apply_patch for the model', () => {
  const patch = (...lines: string[]) => [
    '*** Begin Patch',
    `*** Update File: ${START}`,
    '@@',
    ...lines,
    '*** End Patch',
  ];

  test('takes lines with other widths, and keeps those that stay as the file has them', async () => {
    const text = patch(' 雪乃: 海风真舒服,对吧?;', '-海:嗯.;', '+海:不。;').join('\n');
    const answer = await value('apply_patch', { patch_text: text });
    expect(drafts.get(START)).toBe(SCENE.replace('嗯。', '不。'));
    expect(answer).toMatchObject({ drafted: true, files: [{ action: 'update', added: 1, removed: 1 }] });
    expect(answer.note).toContain(`${START}:1`);
  });

  test('returns the nearest lines of old lines that are not there', async () => {
    const error = await failure('apply_patch', { patch_text: patch('-海:嗯嗯。;', '+海:不。;').join('\n') });
    expect(error.details.nearest[0]).toMatchObject({ line: 2, difference: '海:嗯«≠嗯»。;' });
  });

  test('names the lines where old lines are ambiguous', async () => {
    await game.put(START, '甲:好，;\n乙:来;\n甲:好， ;x\n甲: 好，;\n');
    const error = await failure('apply_patch', { patch_text: patch('-甲:好,;', '+甲:x;').join('\n') });
    expect(error.details.lines).toEqual([1, 4]);
  });

  test.each([
    ['one escaped string', (lines: string[]) => lines.join('\\n')],
    ['a list of lines', (lines: string[]) => lines],
    ['a fenced block', (lines: string[]) => `\`\`\`diff\n${lines.join('\n')}\n\`\`\``],
  ])('understands a patch as %s', async (_, form) => {
    const answer = await value('apply_patch', { patch_text: form(patch('-海:嗯。;', '+海:不。;')) });
    expect(drafts.get(START)).toBe(SCENE.replace('嗯。', '不。'));
    expect(answer.understood).toHaveLength(1);
  });

  test('drafts nothing in a dry run', async () => {
    const answer = await value('apply_patch', { patch_text: patch('-海:嗯。;', '+x;').join('\n'), dryRun: true });
    expect([answer.drafted, answer.files[0].added, drafts.size]).toEqual([false, 1, 0]);
  });
});

describe('edits by line numbers', () => {
  test.each([
    ['after a line', 'insert_at_line', { line: 2, content: '雪乃:好;', expect: '海:嗯' }, [2, 0, '雪乃:好;']],
    ['at the beginning', 'insert_at_line', { line: 0, content: ':雨;\n', expect: '' }, [0, 0, ':雨;']],
    ['after the last line', 'insert_at_line', { line: 5, content: ':雨;', expect: 'end' }, [5, 0, ':雨;']],
    ['instead of one', 'replace_lines', { from: 2, content: '海:不。;', expect: '海: 嗯.' }, [1, 1, '海:不。;']],
    ['instead of several', 'replace_lines', { from: 2, to: 4, content: ':雨;', expect: '2| 海:嗯。' }, [1, 3, ':雨;']],
    ['removed', 'replace_lines', { start_line: 3, end_line: 3, content: '', expect: 'changeBg' }, [2, 1]],
  ])('come %s', async (_, tool, input, [at, gone, ...added]) => {
    const lines = SCENE.split('\n');
    lines.splice(at as number, gone as number, ...(added as string[]));
    await value(tool, { path: START, ...input });
    expect(drafts.get(START)).toBe(lines.join('\n'));
  });

  test('need the line or the version that they refer to', async () => {
    const { version } = await value('read_file', { path: START });
    const change = { path: START, from: 2, content: '海:不。;' };
    for (const guard of [{}, { version: '00000000' }, { version: version.slice(0, 3) }, { expect: '雪乃' }]) {
      const error = await failure('replace_lines', { ...change, ...guard });
      expect(error).toMatchObject({ code: 'E_CONFLICT', reason: 'text.otherLine' });
      expect(error.details.lines).toContain('2| 海:嗯。;');
    }
    expect(drafts.size).toBe(0);
    const answer = await value('replace_lines', { ...change, content: '海:不。;\n海:嗯?;', version });
    expect(answer.note).toContain('(+1)');
    // The numbers of the first read are old now.
    const stale = await failure('insert_at_line', { path: START, line: 3, content: 'x', version });
    expect(stale.message).toContain('was changed since');
    await value('insert_at_line', { path: START, line: 3, content: ':x;', version: answer.version });
  });

  test('say where the expected line is now', async () => {
    const error = await failure('replace_lines', { path: START, from: 1, content: 'x', expect: '海:嗯。' });
    expect(error.details.expectIsAt).toEqual([2]);
    expect((await failure('insert_at_line', { path: START, line: 99, content: 'x', expect: 'a' })).message).toContain(
      'only 5 lines',
    );
  });

  test('keep line endings and a missing line break at the end', async () => {
    await value('insert_at_line', { path: 'game/scene/win.txt', line: 1, content: 'x;\ny;', expect: 'a:1' });
    expect(drafts.get('game/scene/win.txt')).toBe('a:1;\r\nx;\r\ny;\r\nb:2;\r\n');
    await game.put(START, 'a:1;\nb:2;');
    await value('replace_lines', { path: START, from: 2, content: 'c:3;', expect: 'b' });
    expect(drafts.get(START)).toBe('a:1;\nc:3;');
    await value('insert_at_line', { path: START, line: 2, content: 'd:4;', expect: 'c' });
    expect(drafts.get(START)).toBe('a:1;\nc:3;\nd:4;\n');
    await value('insert_at_line', { path: START, line: 1, content: 'x;\r\ny;', expect: 'a:1' });
    expect(drafts.get(START)).toBe('a:1;\nx;\ny;\nc:3;\nd:4;\n');
  });
});
