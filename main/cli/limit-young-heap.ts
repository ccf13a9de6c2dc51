import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the part of the heap for new objects at the size that it has now. Reading a large game makes V8 enlarge it to three times
 * 16 MiB, which a server that waits for its next call would keep. The option `--max-semi-space-size` has no effect after the
 * start of the process, and clients start it with a command of their own; this flag is read whenever the heap could grow.
 */
export function limitYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
