import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { AuditEntry, isRetained } from '../../../../shared/model/audit.ts';
import { AuditEvent } from '../../../../shared/model/capability/audit-event.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/model/settings.ts';
import { createAudit } from './audit.ts';
import { auditDecisions } from './audit-decisions.ts';
import { createSettingsNote } from './note-settings.ts';
import { toAuditEvent } from './to-audit-event.ts';

const SECRET = 'the butler did it';
const files = [{ path: 'game/scene/start.txt', snapshotId: 's1', version: 'v' }];
const clock = { now: () => 1_700_000_000_000, id: () => 'id' };

function setUp(fails = false) {
  const lines: AuditEntry[] = [];
  const audit = createAudit({
    async append(entry) {
      if (fails) throw new AppError('E_IO', 'full');
      lines.push(AuditEntry.parse(entry));
    },
    ready: async () => ({ setAside: null }),
  });
  const applied = async () => ({ status: 'applied' as const, group: 'g1', files, merged: [] });
  const services = auditDecisions(
    {
      chat: { accept: applied, reject: async () => undefined },
      history: {
        restore: async () => ({ group: 'g2', files }),
        undo: async () => {
          throw new AppError('E_CONFLICT', SECRET, { reason: 'history.changedSince' });
        },
      },
      checkpoints: { restore: async () => ({ before: 'c0', changed: ['a.png'], failed: [] }) },
      transactions: { rollBack: applied },
      git: { commit: async () => ({ id: 'c1' }) },
    } as never,
    { audit, clock, onFault: () => undefined },
  );
  return { lines, audit, services };
}

describe('decisions of the user', () => {
  test('are logged with what undoes them, and without a text', async () => {
    const { lines, services } = setUp();
    await services.chat.accept({ id: 'p1', paths: [] } as never);
    await services.chat.reject({ id: 'p2', feedback: SECRET });
    await services.history.restore(['s1', 's2']);
    await services.checkpoints.restore('c1');
    await services.transactions.rollBack('t1');
    await services.git.commit({ paths: ['a.txt'], message: SECRET });
    expect(lines.map(({ kind, tool, files: changed, undo }) => [kind, tool, changed, undo])).toEqual([
      ['approve', 'accept_proposal', ['game/scene/start.txt'], ['g1']],
      ['reject', 'reject_proposal', [], undefined],
      ['rollback', 'restore_files', ['game/scene/start.txt'], ['g2']],
      ['rollback', 'restore_files', ['a.png'], ['c0']],
      ['rollback', 'restore_files', ['game/scene/start.txt'], ['g1']],
      ['approve', 'commit_files', ['a.txt'], undefined],
    ]);
    expect(lines.every(({ caller, risk }) => caller?.type === 'user' && risk?.level === 'high')).toBe(true);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  test('that fail are logged and still fail', async () => {
    const { lines, services } = setUp();
    await expect(services.history.undo(files)).rejects.toThrow(SECRET);
    expect(lines[0]).toMatchObject({ kind: 'rollback', ok: false, code: 'E_CONFLICT', reason: 'history.changedSince' });
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  test('count although the log cannot be written', async () => {
    expect(await setUp(true).services.chat.accept({ id: 'p' } as never)).toMatchObject({ status: 'applied' });
  });

  test('about settings are logged by name, and by value where they decide about calls', async () => {
    const { lines, audit } = setUp();
    const note = createSettingsNote(audit, clock);
    await note({ before: DEFAULT_SETTINGS, after: DEFAULT_SETTINGS });
    const choices = { custom: { baseUrl: `http://127.0.0.1/${SECRET}`, model: 'm' } };
    await note({ before: DEFAULT_SETTINGS, after: { ...DEFAULT_SETTINGS, developerMode: true, choices } });
    expect(lines).toMatchObject([
      { kind: 'settings', args: { changed: ['choices', 'developerMode'], developerMode: true } },
    ]);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });
});

describe('an event in the shape of the protocol', () => {
  test('is valid for each line, also for one of an earlier version', async () => {
    const { lines, services } = setUp();
    await services.chat.accept({ id: 'p1' } as never);
    const [first] = lines;
    if (!first) throw new Error('Nothing was logged.');
    expect(AuditEvent.parse(toAuditEvent(first))).toMatchObject({
      ...{ eventType: 'approve', caller: { type: 'user', role: 'owner' }, riskLevel: 'high' },
      ...{
        approvalInfo: { required: true, approvedBy: 'user' },
        rollbackInfo: { snapshotId: 'g1', rolledBack: false },
      },
    });
    const { id: _, kind: __, caller: ___, risk: ____, undo: _____, ...old } = first;
    expect(AuditEvent.parse(toAuditEvent(old)).eventType).toBe('invoke');
  });
});

describe('lines are retained by their risk', () => {
  const DAY = 86_400_000;
  test.each([
    ['low', true, 29, true],
    ['low', true, 31, false],
    ['medium', true, 89, true],
    ['medium', false, 179, true],
    ['high', true, 364, true],
    ['high', true, 366, false],
    ['critical', false, 1094, true],
    [undefined, true, 31, false],
  ] as const)('%s, can be undone: %s, after %i days: %s', (level, canUndo, days, expected) => {
    const line = { at: new Date(0).toISOString(), ...(level && { risk: { level, canUndo } }) };
    expect(isRetained(line, days * DAY)).toBe(expected);
  });

  test('a line that is none is not', () => expect(isRetained(null, 0)).toBe(false));
});
