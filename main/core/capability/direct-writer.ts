import { AppError } from '../../../shared/errors.ts';
import type { Writer } from '../ports.ts';
import { toTextVersion } from '../proposal/text-version.ts';
import type { ToolChange, ToolWriter } from './define-tool.ts';

const MAX_REHEARSALS = 500;
/** Characters of all of them: what was rehearsed is compared word for word. */
const MAX_REHEARSED_LENGTH = 16 * 1024 * 1024;
/** No file ever has this version, so a write based on it is refused, unless it repeats an earlier one. */
const NO_VERSION = '';

/**
 * Writes to the disk at once, for hosts without a page to review on. What has a dry run needs one first, of the same
 * path, content and base in this session (`E_POLICY_VIOLATION`); a file that changed since is not written
 * (`E_CONFLICT`). `label` names what the history shows a write of these paths under.
 */
export function createDirectWriter(options: {
  writer: Writer;
  label: (paths: readonly string[]) => { group: string; title: string };
}): ToolWriter {
  /** What was rehearsed, with the version it was rehearsed on; oldest first. */
  const rehearsals = new Map<string, string | null>();
  let length = 0;

  const toKey = (change: ToolChange) => `${change.path}\n${change.asked ?? change.text ?? ''}`;

  function forget(key: string): void {
    if (rehearsals.delete(key)) length -= key.length;
  }

  return {
    async rehearse(change) {
      const key = toKey(change);
      forget(key);
      rehearsals.set(key, change.base);
      length += key.length;
      for (const oldest of rehearsals.keys()) {
        if (rehearsals.size <= MAX_REHEARSALS && (length <= MAX_REHEARSED_LENGTH || oldest === key)) break;
        forget(oldest);
      }
    },

    async write(change) {
      const { path, text, asked, idempotencyKey } = change;
      const key = toKey(change);
      const isRehearsed = asked === undefined || rehearsals.has(key);
      if (!isRehearsed && idempotencyKey === undefined) throw notRehearsed(path);
      const rehearsedOn = asked === undefined ? change.base : (rehearsals.get(key) ?? null);
      const label = {
        origin: 'agent' as const,
        ...options.label([path]),
        ...(idempotencyKey !== undefined && { idempotencyKey, ...(asked !== undefined && { request: asked }) }),
      };
      const base = isRehearsed ? rehearsedOn : NO_VERSION;
      const [written] = await options.writer.apply([{ path, text, base }], label).catch((error: unknown) => {
        if (!isRehearsed && error instanceof AppError && error.code === 'E_CONFLICT') throw notRehearsed(path);
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

function notRehearsed(path: string): AppError {
  return new AppError('E_POLICY_VIOLATION', `${path} was not written: this very change had no dry run before.`, {
    details: { path },
    hint: 'Call write_to_file with the same path, content and mode and dryRun: true first, look at the diff, then write.',
    reason: 'write.notRehearsed',
  });
}
