import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../../shared/model/audit.ts';
import { createAudit } from './audit.ts';

async function record(payload: unknown): Promise<AuditEntry | undefined> {
  const entries: AuditEntry[] = [];
  const audit = createAudit({
    append: async (entry) => void entries.push(entry as AuditEntry),
    ready: async () => ({ setAside: null }),
  });
  await audit.record({
    request: {
      ...{ tool_call_id: 'c', name: 'write_to_file', version: '1', args: {}, requested_permissions: [] },
      ...{ trace_id: 't', timestamp: 0 },
    },
    result: {
      ...{ tool_call_id: 'c', ok: true, payload, error: null, duration_ms: 1 },
      artifacts: { files_changed: ['game/scene/start.txt'], commands_run: [] },
    },
    ...{ capability: 'x', mode: 'act', exitCode: undefined, risk: null, tool: null },
    caller: { type: 'model', id: 'assistant', role: 'owner' },
    decision: { effect: 'ALLOW', by: 'policy' },
  });
  return entries[0];
}

test('logs a write to the proposal as drafted and a write to the disk as done', async () => {
  expect((await record({ applied: false, drafted: true }))?.outcome).toBe('drafted');
  expect((await record({ applied: true }))?.outcome).toBe('done');
});
