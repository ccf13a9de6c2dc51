import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createSerialQueue } from '../../../shared/async.ts';
import { writeDurably } from './durable-file.ts';
import { toIoError } from './io-error.ts';
import { readPrivateFile } from './private-file.ts';

/** A small JSON file of the app's own folder, which only its user can read. */
export interface PrivateJson<T> {
  /** Returns what is stored; the same value until the file changed. Throws `E_IO` if the file cannot be read. */
  read(): Promise<T>;
  /** Stores what `toNext` returns; one change at a time. What it throws is thrown, and nothing is stored. */
  change(toNext: (stored: T) => unknown): Promise<void>;
}

/**
 * `parse` receives the stored JSON. Where it throws, or no JSON is stored, it receives `undefined` and returns what counts then. The file
 * is read each time, because another window may have changed it.
 */
export function createPrivateJson<T>(folder: string, name: string, parse: (stored: unknown) => T): PrivateJson<T> {
  const file = path.join(folder, name);
  const queue = createSerialQueue();
  let known: { bytes: Buffer | null; value: T } | null = null;

  async function read(): Promise<T> {
    const bytes = await readPrivateFile(file, name);
    if (known && isSame(known.bytes, bytes)) return known.value;
    known = { bytes, value: toValue(bytes, parse) };
    return known.value;
  }

  return {
    read: () => queue.run(read),
    change: (toNext) =>
      queue.run(async () => {
        const next = toNext(await read());
        try {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          await writeDurably(file, `${JSON.stringify(next, null, 2)}\n`, 0o600);
        } catch (error) {
          throw toIoError(error, name);
        }
      }),
  };
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}

function toValue<T>(bytes: Buffer | null, parse: (stored: unknown) => T): T {
  try {
    return parse(bytes === null ? undefined : JSON.parse(bytes.toString()));
  } catch {
    return parse(undefined);
  }
}
