import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatItem, ToolAction } from '../../shared/model/chat.ts';
import { countToolActions, createChatRows, hasWorked, type ItemOf, isTakenBack, toLastDecision } from './chat-rows.ts';

const ACTIONS: Readonly<Record<string, ToolAction>> = {
  read_file: 'read',
  search_files: 'searched',
  execute_command: 'ran',
  update_memory: 'drafted',
  apply_patch: 'drafted',
};
const base = { turn: 't1', at: 1 };
const tool = (id: string, name: string, state: 'running' | 'done' | 'failed', paths: string[] = []): ChatItem => ({
  ...base,
  id,
  kind: 'tool',
  tool: name,
  action: ACTIONS[name] ?? 'other',
  summary: { 'zh-CN': name, en: name },
  state,
  paths,
});
const thinking = (id: string, streaming = false): ChatItem => ({
  ...base,
  id,
  kind: 'thinking',
  text: 'Hm',
  streaming,
});
const says = (id: string, text = 'Hello'): ChatItem => ({ ...base, id, kind: 'assistant', text, streaming: false });
const user: ChatItem = { ...base, id: 'u', kind: 'user', text: 'Add rain', mode: 'act' };
const end = (reason: 'done' | 'error'): ChatItem => ({ ...base, id: 'e', kind: 'end', reason });
const review = (state: 'pending' | 'accepted' | 'rejected' | 'replaced') => ({
  ...base,
  ...{ id: 'r', kind: 'review' as const, proposal: 'p', state, files: [], group: 'g' },
});
const history = (isUndone: boolean) => [{ id: 'g', title: '', at: 1, origin: 'agent' as const, isUndone, files: [] }];
const shape = (items: ChatItem[]) =>
  createChatRows()(items).map((row) => (row.kind === 'item' ? row.item.id : row.items.map(({ id }) => id)));

describe('createChatRows', () => {
  it('folds finished calls and the thinking between them', () => {
    expect(
      shape([user, tool('1', 'read_file', 'done'), thinking('2'), tool('3', 'validate_script', 'done'), says('4')]),
    ).toEqual(['u', ['1', '2', '3'], '4']);
  });

  it('folds no call that returned a picture or a sound', () => {
    const asset = { id: 'a'.repeat(64), type: 'image/png' as const, bytes: 9, width: 1, height: 1 };
    const drawn: ChatItem = { ...(tool('2', 'ext_studio_draw', 'done') as ItemOf<'tool'>), assets: [asset] };
    expect(shape([tool('1', 'read_file', 'done'), drawn, tool('3', 'read_file', 'done')])).toEqual([['1'], '2', ['3']]);
  });

  it('folds progress notes with their calls and shows the latest', () => {
    const note = (id: string, level: 'progress' | 'warning'): ChatItem => ({
      ...base,
      id,
      kind: 'note',
      level,
      text: '',
    });
    const work = [note('1', 'progress'), tool('2', 'read_file', 'done'), note('3', 'progress')];
    expect(shape(work)).toEqual([['1', '2'], '3']);
    expect(shape([...work, tool('4', 'write_to_file', 'done')])).toEqual([['1', '2', '3', '4']]);
    expect(shape([note('1', 'warning'), tool('2', 'read_file', 'done')])).toEqual(['1', ['2']]);
  });

  it('does not fold running calls, or a failure until the assistant continues', () => {
    const work = [tool('1', 'read_file', 'done'), tool('2', 'replace_in_file', 'failed')];
    expect(shape(work)).toEqual([['1'], '2']);
    expect(shape([...work, tool('3', 'read_file', 'running')])).toEqual([['1', '2'], '3']);
    expect(shape([...work, end('error')])).toEqual([['1'], '2', 'e']);
  });

  it('keeps thinking without a following call as its own row', () => {
    expect(shape([thinking('1'), says('2'), tool('3', 'read_file', 'done'), thinking('4'), says('5')])).toEqual([
      '1',
      '2',
      ['3'],
      '4',
      '5',
    ]);
  });

  it('hides redundant ends and empty text', () => {
    expect(shape([user, says('1', '  '), says('2'), end('done')])).toEqual(['u', '2']);
    expect(shape([user, end('error')])).toEqual(['u', 'e']);
  });

  it('keeps the id of a growing fold so that it stays open', () => {
    const [before] = createChatRows()([tool('1', 'read_file', 'done')]);
    const [after] = createChatRows()([tool('1', 'read_file', 'done'), tool('2', 'read_file', 'done')]);
    expect(after?.id).toBe(before?.id);
  });
});

describe('countToolActions', () => {
  it('counts each file once and each call without files', () => {
    const [row] = createChatRows()([
      tool('1', 'read_file', 'done', ['a.txt']),
      tool('2', 'read_file', 'done', ['a.txt', 'b.txt']),
      tool('3', 'search_files', 'done'),
      tool('4', 'search_files', 'done'),
      tool('5', 'ext.weather', 'done'),
      tool('6', 'read_file', 'failed', ['a.txt']),
      says('7'),
    ]);
    expect(row?.kind === 'fold' && countToolActions(row.items)).toEqual([
      { action: 'read', count: 2 },
      { action: 'searched', count: 2 },
      { action: 'other', count: 1 },
      { action: 'failed', count: 1 },
    ]);
  });

  it('counts each script run, and edits from any tool', () => {
    const [row] = createChatRows()([
      tool('1', 'execute_command', 'done', ['package.json']),
      tool('2', 'execute_command', 'done', ['package.json']),
      tool('3', 'update_memory', 'done', ['story-bible.md']),
      tool('4', 'apply_patch', 'done', ['a.txt', 'story-bible.md']),
      says('5'),
    ]);
    expect(row?.kind === 'fold' && countToolActions(row.items)).toEqual([
      { action: 'ran', count: 2 },
      { action: 'drafted', count: 2 },
    ]);
  });
});

describe('hasWorked', () => {
  it('is false while the turn produced nothing', () => {
    expect(hasWorked([user, thinking('1'), end('error')], 't1')).toBe(false);
    expect(hasWorked([says('1')], 'other')).toBe(false);
  });

  it('is true after text or a call', () => {
    expect(hasWorked([user, says('1'), end('error')], 't1')).toBe(true);
    expect(hasWorked([user, tool('1', 'read_file', 'done'), end('error')], 't1')).toBe(true);
  });
});

describe('state of a decided proposal', () => {
  it('is not accepted after a revert, and is again after undoing the revert', () => {
    expect(isTakenBack(review('accepted'), history(true))).toBe(true);
    expect(isTakenBack(review('accepted'), history(false))).toBe(false);
    expect(isTakenBack(review('accepted'), null)).toBe(false);
    expect(isTakenBack(review('rejected'), history(true))).toBe(false);
  });

  it('returns the decision of the last proposal, or null while it is pending', () => {
    expect(toLastDecision([review('rejected'), user, review('accepted'), end('done')], history(false))).toBe(
      'accepted',
    );
    expect(toLastDecision([review('accepted')], history(true))).toBe('undone');
    expect(toLastDecision([review('accepted'), review('rejected')], history(true))).toBe('rejected');
    expect(toLastDecision([review('accepted'), review('pending')], history(true))).toBeNull();
    expect(toLastDecision([user], null)).toBeNull();
  });
});

describe('createChatRows', () => {
  const pieces = fc.constantFrom<(id: string) => ChatItem>(
    (id) => ({ ...user, id }),
    (id) => tool(id, 'read_file', 'done'),
    (id) => tool(id, 'grep', 'failed'),
    (id) => tool(id, 'grep', 'running'),
    (id) => thinking(id),
    (id) => says(id, 'word '.repeat(900)),
    (id) => ({ ...end('done'), id }),
    (id) => ({ ...end('error'), id }),
  );

  it('returns the same rows incrementally as for the whole conversation', () => {
    const change = fc.record({ item: pieces, at: fc.nat(30), how: fc.constantFrom('append', 'change', 'prepend') });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const toRows = createChatRows();
        let items: ChatItem[] = [];
        for (const [id, { item, at, how }] of changes.entries()) {
          const piece = item(String(id));
          if (how === 'prepend')
            items = [...Array.from({ length: at % 3 }, (_, n) => item(`${id} ${n}`)), piece, ...items];
          else if (how === 'append' || items.length === 0) items = [...items, piece];
          else items = items.with(at % items.length, { ...piece, id: items[at % items.length]?.id ?? '' });
          expect(toRows(items)).toEqual(createChatRows()(items));
        }
      }),
    );
  });

  it('keeps the identity of rows below earlier rows that are added', () => {
    const toRows = createChatRows();
    const turns = [tool('1', 'read_file', 'done'), { ...user, id: 'u2' }, says('3')];
    const before = toRows(turns);
    const now = toRows([user, tool('0', 'read_file', 'done'), ...turns]);
    expect(now).toHaveLength(4);
    expect([now[2], now[3]]).toEqual([before[1], before[2]]);
    expect(now[2]).toBe(before[1]);
    expect(now[3]).toBe(before[2]);
  });

  it('keeps the identity of rows of earlier turns and of full parts of a long answer', () => {
    const toRows = createChatRows();
    const turns = [user, tool('1', 'read_file', 'done'), says('2'), { ...user, id: 'u2' }];
    const before = toRows([...turns, says('a', 'A long answer.\n\n'.repeat(400))]);
    const now = toRows([...turns, says('a', 'A long answer.\n\n'.repeat(401))]);
    expect(before.length).toBeGreaterThan(5);
    expect(now[1]).toBe(before[1]);
    const part = (rows: typeof now, index: number) => (rows[index]?.kind === 'item' ? rows[index].part : undefined);
    expect(part(now, 4)).toBe(part(before, 4));
    expect(part(now, 4)?.index).toBe(0);
  });
});
