import { isRetained } from '../../../shared/model/audit.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import { createLineSignature } from './line-signature.ts';
import { createLogFile } from './log-file.ts';
import type { LogFileOptions } from './log-state.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const KEPT_FILES = 5;

/** Creates an audit log: signed lines of several programs, rotated, and retained by their risk. `name` is part of the signature. */
export function createAuditLogFile({
  folder,
  name,
  signature,
}: Pick<LogFileOptions, 'folder' | 'name'> & { signature: JournalSignature }): ReturnType<typeof createLogFile> {
  return createLogFile({
    ...{ folder, name, syncsBehind: true },
    // The signature caches the key, so this waits for the disk once.
    signature: () => createLineSignature(signature, name),
    rotate: { bytes: MAX_BYTES, keep: KEPT_FILES },
    retains: (line) => isRetained(line, Date.now()),
  });
}
