import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MODULE = new URL('./small-heap.ts', import.meta.url).href;

/** Returns the bytes for new objects before and after much was allocated and kept, in a process of its own. */
async function measure(begin: string): Promise<{ before: number; after: number }> {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    const size = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
    ${begin}
    const before = size();
    const kept = [];
    for (let count = 0; count < 400_000; count += 1) kept.push({ count, text: 'line ' + count });
    console.log(JSON.stringify({ before, after: size(), kept: kept.length }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout) as { before: number; after: number };
}

it('keeps the space for new objects about as small as it was', async () => {
  const free = await measure('');
  const limited = await measure(`(await import(${JSON.stringify(MODULE)})).limitYoungHeap();`);
  // The half that survivors are copied to is counted from the first collection on, and a quarter more at times.
  expect(limited.after).toBeLessThanOrEqual(3 * limited.before);
  // How far it grows without the limit depends on when the collector runs.
  expect(free.after).toBeGreaterThan(limited.after);
});

it('returns memory once nothing happens after work', async () => {
  const script = `
    import { getHeapStatistics } from 'node:v8';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { createMemoryReturn } from ${JSON.stringify(MODULE)};
    const size = () => Math.round(getHeapStatistics().total_heap_size / 1024 / 1024);
    const returnMemory = createMemoryReturn();
    const sizes = [size()];
    let kept = [];
    for (let count = 0; count < 400_000; count += 1) kept.push({ count, text: 'line ' + count });
    kept = null;
    sizes.push(size());
    returnMemory();
    await sleep(150);
    returnMemory();
    await sleep(150);
    sizes.push(size());
    await sleep(300);
    sizes.push(size());
    console.log(JSON.stringify(sizes), typeof gc);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const [start = 0, full = 0, early = 0, end = 0] = JSON.parse(stdout.split(' ')[0] ?? '') as number[];
  expect(full).toBeGreaterThan(start + 20);
  // It was called again, so it waits.
  expect(early).toBeGreaterThan(start + 20);
  expect(end).toBeLessThan(start + 8);
  expect(stdout).toContain('undefined');
});
