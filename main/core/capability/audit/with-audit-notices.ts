import type { Emit } from '../../../../shared/contract.ts';
import type { Audit } from './audit.ts';

/** Emits a notice once when the audit log cannot be written, and when a file had to be moved out of its place. */
export function withAuditNotices(audit: Audit, emit: Emit): Audit {
  let isClosed = false;
  const tellClosed = (error: unknown): never => {
    if (!isClosed) emit('app.noticed', { level: 'error', reason: 'audit.closed', details: {} });
    isClosed = true;
    throw error;
  };
  return {
    record: (call) => audit.record(call).finally(() => emit('audit.changed', {})),
    note: (note) =>
      audit
        .note(note)
        .catch(tellClosed)
        .finally(() => emit('audit.changed', {})),
    async ready() {
      try {
        const found = await audit.ready();
        isClosed = false;
        const { setAside: file } = found;
        if (file !== null) emit('app.noticed', { level: 'warning', reason: 'audit.setAside', details: { file } });
        return found;
      } catch (error) {
        return tellClosed(error);
      }
    },
  };
}
