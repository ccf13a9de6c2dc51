import { AppError } from '../../../shared/errors.ts';
import type { Writer } from '../ports.ts';
import { toTextVersion } from '../proposal/text-version.ts';
import type { ToolChange, ToolWriter } from './define-tool.ts';

const MAX_REHEARSALS = 500;
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
  /** What was rehearsed, by digest, with the version it was rehearsed on; oldest first. */
  const rehearsals = new Map<string, string | null>();

  const toKey = async (change: ToolChange) =>
    `${change.path}\n${(await toTextVersion(change.asked ?? change.text ?? '')).version}`;

  return {
    async rehearse(change) {
      const key = await toKey(change);
      rehearsals.delete(key);
      rehearsals.set(key, change.base);
      for (const oldest of rehearsals.keys()) {
        if (rehearsals.size <= MAX_REHEARSALS) break;
        rehearsals.delete(oldest);
      }
    },

    async write(change) {
      const { path, text, asked, idempotencyKey } = change;
      const key = await toKey(change);
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
      rehearsals.delete(key);
      if (written === undefined) throw new AppError('E_INTERNAL', `The write of ${path} was not confirmed.`);
      const wanted = text === null ? null : (await toTextVersion(text)).version;
      const repeated = idempotencyKey !== undefined && written.version !== wanted;
      const { snapshotId, bytes: bytesWritten } = written;
      return { applied: true, drafted: false, ...(repeated && { repeated }), snapshotId, bytesWritten };
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
