import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../../shared/model/audit.ts';
import { createAuditService } from './audit-service.ts';

function entry(index: number, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
    trace: 'turn',
    call: `call-${index}`,
    tool: 'read_file',
    version: '1.0.0',
    capability: 'project.file.read',
    mode: 'act',
    args: { path: `game/scene/${index}.txt` },
    permissions: ['fs.read'],
    decision: { effect: 'ALLOW', by: 'policy' },
    outcome: 'done',
    ok: true,
    isForeign: false,
    code: null,
    reason: null,
    ms: 1,
    files: [],
    commands: [],
    ...more,
  };
}

/** Creates a service over pieces of a log, newest piece first, each in chronological order. */
const create = (...pieces: unknown[][]) =>
  createAuditService([
    {
      async *history() {
        for (const entries of pieces) {
          yield { lines: entries.map((one) => ({ entry: one, isForeign: false })).reverse(), damaged: 1 };
        }
      },
    },
  ]);
const all = { filter: {}, skip: 0, limit: 100 };
const calls = (page: { entries: AuditEntry[] }) => page.entries.map(({ call }) => call);

describe('a page of the audit log', () => {
  test('lists lines of all files, newest first', async () => {
    const audit = create([entry(3), entry(4)], [entry(1), entry(2)]);
    const page = await audit.list(all);
    expect(calls(page)).toEqual(['call-4', 'call-3', 'call-2', 'call-1']);
    expect([page.total, page.damaged, page.tools, page.asOf]).toEqual([4, 2, ['read_file'], [`${entry(4).at} call-4`]]);
    expect(calls(await audit.list({ ...all, skip: 1, limit: 2 }))).toEqual(['call-3', 'call-2']);
  });

  test('lists lines of two logs in the order of their time', async () => {
    const log = (...entries: AuditEntry[]) => ({
      async *history() {
        for (const each of entries.toReversed()) yield { lines: [{ entry: each, isForeign: false }], damaged: 1 };
      },
    });
    const audit = createAuditService([log(entry(1), entry(3), entry(6)), log(entry(2), entry(4), entry(5))]);
    const page = await audit.list({ ...all, skip: 1, limit: 4 });
    expect([calls(page), page.total, page.damaged]).toEqual([['call-5', 'call-4', 'call-3', 'call-2'], 6, 6]);
    expect((await audit.export({}, 'jsonl')).count).toBe(6);
  });

  describe('later pages', () => {
    const growing = () => {
      const lines: AuditEntry[] = [];
      return {
        lines,
        async *history() {
          for (const each of lines.toReversed())
            yield { lines: [{ entry: { ...each }, isForeign: false }], damaged: 0 };
        },
      };
    };

    test('do not move when lines of the same moment are added to either log', async () => {
      const [game, app] = [growing(), growing()];
      const audit = createAuditService([game, app]);
      const at = entry(1).at;
      game.lines.push(entry(1), entry(2, { at }));
      const first = await audit.list({ ...all, limit: 1 });
      game.lines.push(entry(3, { at }));
      app.lines.push(entry(4, { at }));
      const second = await audit.list({ ...all, skip: 1, limit: 1, asOf: first.asOf });
      expect([calls(first), calls(second), second.total]).toEqual([['call-2'], ['call-1'], 2]);
      expect(second.asOf).toEqual(first.asOf);
    });

    test('begin at the newest line when the position is gone', async () => {
      const log = growing();
      log.lines.push(entry(1), entry(2));
      const page = await createAuditService([log]).list({ ...all, asOf: ['gone'] });
      expect([calls(page), page.total]).toEqual([['call-2', 'call-1'], 2]);
    });

    test('neither repeat nor lose a line after one that is not whole', async () => {
      const log = growing();
      log.lines.push(entry(1), entry(2), { ...entry(3), trace: 7 as never }, entry(4));
      const audit = createAuditService([log]);
      const first = await audit.list({ ...all, limit: 2 });
      const second = await audit.list({ ...all, skip: 2, limit: 2, asOf: first.asOf });
      expect([calls(first), first.damaged, calls(second)]).toEqual([['call-4'], 1, ['call-2', 'call-1']]);
      expect([first.total, second.total]).toEqual([4, 4]);
    });
  });

  test('lists a long call where it ended, and a line after a clock was set back where it was appended', async () => {
    const log = (...entries: AuditEntry[]) => ({
      async *history() {
        for (const each of entries.toReversed()) yield { lines: [{ entry: each, isForeign: false }], damaged: 0 };
      },
    });
    const audit = createAuditService([log(entry(1, { ms: 5000 }), entry(3)), log(entry(2), entry(4), entry(8))]);
    // Call 3 was appended after call 1, which ended at second 6.
    expect(calls(await audit.list(all))).toEqual(['call-8', 'call-4', 'call-3', 'call-1', 'call-2']);
  });

  test('skips and counts invalid lines, and removes unknown fields', async () => {
    const hostile = [null, 7, 'x', [], {}, { ...entry(1), at: 'yesterday' }, { ...entry(1), files: 'x' }];
    const page = await create([...hostile, { ...entry(2), secret: 'x' }]).list(all);
    expect([page.entries, page.damaged]).toEqual([[entry(2)], hostile.length + 1]);
  });

  test('marks a foreign line regardless of its content', async () => {
    const forged = { ...entry(1), isForeign: false };
    const audit = createAuditService([
      {
        async *history() {
          yield { lines: [{ entry: forged, isForeign: true }], damaged: 0 };
        },
      },
    ]);
    expect((await audit.list(all)).entries.map(({ isForeign }) => isForeign)).toEqual([true]);
    expect((await audit.export({}, 'jsonl')).text).toContain('"isForeign":true');
    expect((await audit.export({}, 'csv')).text).toMatch(/,no\r\n$/);
  });

  test('reads lines written before outcomes were named', async () => {
    const { outcome: _, reason: __, ...old } = entry(1, { ok: false, code: 'E_TOOL_DISABLED' });
    const denied = { ...old, decision: { effect: 'DENY', by: 'settings' } };
    expect((await create([denied]).list({ ...all, filter: { outcome: 'refused' } })).total).toBe(1);
  });
});

describe('filters', () => {
  const lines = [
    entry(1),
    entry(2, { tool: 'write_to_file', files: ['game/scene/雨.txt'], args: { content: { characters: 9 } } }),
    entry(3, { ok: false, outcome: 'refused', code: 'E_TOOL_DISABLED', decision: { effect: 'DENY', by: 'settings' } }),
    entry(4, { ok: false, outcome: 'failed', code: 'E_BAD_ARGS', decision: null, args: { paths: ['Game/A.txt'] } }),
  ];

  test.each([
    [{ tool: 'write_to_file' }, [2]],
    [{ outcome: 'refused' as const }, [3]],
    [{ outcome: 'failed' as const }, [4]],
    [{ by: 'settings' as const }, [3]],
    [{ by: 'policy' as const }, [2, 1]],
    [{ file: '雨' }, [2]],
    [{ file: 'game/a' }, [4]],
    [{ text: 'E_BAD' }, [4]],
    [{ text: ' CALL-3 ' }, [3]],
    [{ from: entry(2).at, to: entry(3).at }, [3, 2]],
    [{ text: 'nothing like it' }, []],
    [{ tool: 'read_file', outcome: 'done' as const, file: '1' }, [1]],
  ])('%j', async (filter, expected) => {
    expect(calls(await create(lines).list({ ...all, filter }))).toEqual(expected.map((index) => `call-${index}`));
  });
});

describe('export', () => {
  test('as JSON Lines, oldest first', async () => {
    const { text, count } = await create([entry(2)], [entry(1)]).export({}, 'jsonl');
    expect([
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      count,
    ]).toEqual([[entry(1), entry(2)], 2]);
  });

  test('as CSV without spreadsheet formulas', async () => {
    const nasty = entry(1, { call: '=cmd|calc', trace: ' +1', files: ['a"b', 'c,d'], version: '@x', tool: '-t' });
    const { text } = await create([nasty]).export({}, 'csv');
    expect(text).toBe(
      '\uFEFFat,tool,version,mode,outcome,code,decision,decided_by,milliseconds,files_changed,commands_run,arguments,trace,call,kind,caller,role,risk,undo,written_here\r\n' +
        `${nasty.at},'-t,'@x,act,done,,ALLOW,policy,1,"a""b | c,d",,"{""path"":""game/scene/1.txt""}",' +1,'=cmd|calc,,,,,,yes\r\n`,
    );
  });
});
