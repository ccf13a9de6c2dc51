import { mkdir, stat } from 'node:fs/promises';
import type { AppAuditLog } from '../../core/ports/logs.ts';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createAuditLogFile } from '../logs/audit-log-file.ts';

/** Creates the audit log of the app itself, `app-audit.jsonl` in its data folder. */
export function createAppAuditLog(data: string): AppAuditLog {
  return createAuditLogFile({
    async folder(make) {
      if (make) await mkdir(data, { recursive: true, mode: 0o700 });
      else if ((await stat(data).catch(() => null)) === null) return null;
      return data;
    },
    ...{ name: 'app-audit.jsonl', signature: createJournalSignature(data) },
  });
}
