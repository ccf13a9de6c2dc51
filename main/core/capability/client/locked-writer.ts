import { createSerialQueue } from '../../../../shared/async.ts';
import type { Lease } from '../../ports/logs.ts';
import type { Writer } from '../../ports/writer.ts';

/**
 * Creates a writer that writes only while holding the lease, so that a second process gets `E_CONFLICT`. `keeps`: the lease is
 * held until the host releases it; otherwise only for each write.
 */
export function createLockedWriter(writer: Writer, { lock, keeps }: { lock: Lease; keeps: boolean }): Writer {
  const queue = createSerialQueue();
  return {
    apply: (changes, label) =>
      queue.run(async () => {
        await lock.assertHeld();
        try {
          return await writer.apply(changes, label);
        } finally {
          if (!keeps) await lock.release();
        }
      }),
  };
}
