import { AppError } from '../../../../shared/errors.ts';
import type { Writer } from '../../ports/writer.ts';
import { toTextVersion } from '../../text/text-version.ts';
import type { ToolChange, ToolWriter } from '../define-tool.ts';

const MAX_DRY_RUNS = 500;
/** Maximum characters of all recorded dry runs, which are compared verbatim. */
const MAX_DRY_RUN_LENGTH = 16 * 1024 * 1024;
/** A version that no file has, so a write based on it is rejected unless it repeats an earlier one. */
const NO_VERSION = '';

/**
 * Creates a writer that writes to the disk immediately, for hosts without a review page. Tools with a dry run must run it first
 * with the same path, content and base in this session (`E_POLICY_VIOLATION`); a file that changed since is rejected
 * (`E_CONFLICT`). `label` is the title of the write in the history. `isOneCall`: the session is a single call, such as a command line
 * that the user wrote, so no dry run is demanded.
 */
export function createDirectWriter(options: {
  writer: Writer;
  label: (paths: readonly string[]) => { group: string; title: string };
  isOneCall?: boolean;
}): ToolWriter {
  /** Recorded dry runs with their base version, oldest first. */
  const dryRuns = new Map<string, string | null>();
  let length = 0;

  const toKey = (change: ToolChange) => `${change.path}\n${change.asked ?? change.text ?? ''}`;

  function forget(key: string): void {
    if (dryRuns.delete(key)) length -= key.length;
  }

  return {
    async recordDryRun(change) {
      const key = toKey(change);
      forget(key);
      dryRuns.set(key, change.base);
      length += key.length;
      for (const oldest of dryRuns.keys()) {
        if (dryRuns.size <= MAX_DRY_RUNS && (length <= MAX_DRY_RUN_LENGTH || oldest === key)) break;
        forget(oldest);
      }
    },

    async write(change) {
      const { path, text, asked, idempotencyKey } = change;
      const key = toKey(change);
      const isExempt = asked === undefined || options.isOneCall === true;
      const hasDryRun = isExempt || dryRuns.has(key);
      if (!hasDryRun && idempotencyKey === undefined) throw toDryRunMissing(path);
      const dryRunBase = isExempt ? change.base : (dryRuns.get(key) ?? null);
      const label = {
        origin: 'agent' as const,
        ...options.label([path]),
        ...(idempotencyKey !== undefined && { idempotencyKey, ...(asked !== undefined && { request: asked }) }),
      };
      const base = hasDryRun ? dryRunBase : NO_VERSION;
      const [written] = await options.writer.apply([{ path, text, base }], label).catch((error: unknown) => {
        if (!hasDryRun && error instanceof AppError && error.code === 'E_CONFLICT') throw toDryRunMissing(path);
        throw error;
      });
      forget(key);
      if (written === undefined) throw new AppError('E_INTERNAL', `The write of ${path} was not confirmed.`);
      const { version, snapshotId, bytes: bytesWritten } = written;
      const repeated =
        idempotencyKey !== undefined && version !== (text === null ? null : (await toTextVersion(text)).version);
      return { applied: true, drafted: false, ...(repeated && { repeated }), version, snapshotId, bytesWritten };
    },

    async writeAll(changes) {
      const plain = changes.map(({ path, text, base }) => ({ path, text, base }));
      const written = await options.writer.apply(plain, {
        origin: 'agent',
        ...options.label(changes.map(({ path }) => path)),
      });
      return changes.map(({ path }) => {
        const one = written.find((candidate) => candidate.path === path);
        if (one === undefined) throw new AppError('E_INTERNAL', `The write of ${path} was not confirmed.`);
        return { applied: true, drafted: false, snapshotId: one.snapshotId, bytesWritten: one.bytes };
      });
    },
  };
}

function toDryRunMissing(path: string): AppError {
  return new AppError('E_POLICY_VIOLATION', `${path} was not written: this very change had no dry run before.`, {
    details: { path },
    hint: 'Call write_to_file with the same path, content and mode and dryRun: true first, look at the diff, then write.',
    reason: 'write.dryRunMissing',
  });
}
