import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { isOwnDescendant, readProcessMemory } from './process-memory.ts';

const MEGABYTE = 1024 * 1024;

describe.skipIf(!existsSync('/proc/self/status'))('the memory of a process (Linux)', () => {
  const script = `const kept = Buffer.alloc(200 * 1024 * 1024, 7); process.stdout.write('.'); setInterval(() => kept, 1000);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const id = child.pid ?? 0;
  afterAll(() => child.kill('SIGKILL'));

  it('is what a child of this process holds, until it ends', async () => {
    await once(child.stdout, 'data');
    const bytes = readProcessMemory(id) ?? 0;
    expect(bytes).toBeGreaterThan(200 * MEGABYTE);
    expect(bytes).toBeLessThan(300 * MEGABYTE);
    expect([isOwnDescendant(id), isOwnDescendant(process.pid), isOwnDescendant(process.ppid)]).toEqual([
      true,
      false,
      false,
    ]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([readProcessMemory(id), isOwnDescendant(id)]).toEqual([null, false]);
  });
});
