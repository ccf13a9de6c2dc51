import { fork } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLease } from './lease.ts';
import { readProcessStart } from './process-start.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lease-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = () => path.join(folder, 'agent.lock');
const create = (owner = 'one') =>
  createLease({ folder: async () => folder, name: 'agent.lock', owner, version: '1.2.3' });
const read = async () => JSON.parse(await readFile(file(), 'utf8'));
const put = (holder: object | string) =>
  writeFile(file(), typeof holder === 'string' ? holder : JSON.stringify(holder), { mode: 0o600 });
const two = (value: number) => String(value).padStart(2, '0');
const toLocalTime = (startedAt: number) => {
  const at = new Date(startedAt);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
};
const held = { owner: 'other', pid: 999_999_999, host: hostname(), startedAt: Date.now(), version: '0' };

describe('a lease', () => {
  it('names its holder, refuses a second one, and is free after release', async () => {
    const first = create();
    const second = create('two');
    await first.take();
    const { startedAt } = await read();
    expect(await read()).toEqual({
      owner: 'one',
      pid: process.pid,
      host: hostname(),
      startedAt: expect.any(Number),
      version: '1.2.3',
      renewedAt: startedAt,
      processStart: await readProcessStart(process.pid),
      token: expect.any(String),
    });
    await expect(second.take()).rejects.toMatchObject({
      code: 'E_CONFLICT',
      reason: 'project.heldElsewhere',
      details: { owner: 'one', pid: process.pid, host: hostname(), since: toLocalTime(startedAt) },
    });
    await first.assertHeld();
    await first.release();
    expect(await readdir(folder)).toEqual([]);
    await second.take();
    expect((await read()).owner).toBe('two');
    await second.release();
  });

  it('lets one program acquire it twice concurrently', async () => {
    const lease = create();
    await Promise.all([lease.take(), lease.assertHeld(), lease.take()]);
    expect((await read()).owner).toBe('one');
    await Promise.all([lease.release(), lease.release()]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('goes to exactly one of many concurrent programs, also when all of them find a dead holder first', async () => {
    for (const dead of [false, true]) {
      if (dead) await put(held);
      const leases = Array.from({ length: 12 }, (_, index) => create(`lease ${index}`));
      const results = await Promise.allSettled(leases.map((lease) => lease.take()));
      const taken = results.flatMap((result, index) => (result.status === 'fulfilled' ? [`lease ${index}`] : []));
      expect(taken).toEqual([(await read()).owner]);
      expect(await readdir(folder)).toEqual(['agent.lock']);
      await Promise.all(leases.map((lease) => lease.release()));
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it.each([
    ['a process that is gone', held],
    ['a process that reuses the number of one that is gone', { ...held, pid: process.pid, processStart: 'long ago' }],
    ['another machine without a renewal for long', { ...held, host: 'elsewhere', startedAt: 1 }],
    ['a clock that is far ahead', { ...held, host: 'elsewhere', startedAt: Date.now() + 1e9 }],
    ['a number that is no process', { ...held, pid: -1, startedAt: 1 }],
  ])('is taken over from %s', async (_, holder) => {
    await put(holder);
    await utimes(file(), 1, 1);
    const lease = create();
    await lease.take();
    expect((await read()).owner).toBe('one');
    await lease.release();
  });

  it.each([
    ['a process that lives', { ...held, pid: process.ppid }],
    ['another machine with a recent renewal', { ...held, host: 'elsewhere', startedAt: 1, renewedAt: Date.now() }],
  ])('is not taken over from %s', async (_, holder) => {
    await put(holder);
    await expect(create().take()).rejects.toMatchObject({ code: 'E_CONFLICT', details: { owner: 'other' } });
    expect(await read()).toEqual(holder);
  });

  it.each(['', '{"owner":"oth', 'not a lock\n'.repeat(2_000)])('is not blocked by a torn file', async (text) => {
    await put(text);
    await utimes(file(), 1, 1);
    const lease = create();
    await lease.take();
    expect((await read()).owner).toBe('one');
    await lease.release();
  });

  it('is not blocked by files of a game that claim to be written in the future', async () => {
    for (const [text, guard] of [
      ['torn', false],
      [JSON.stringify(held), true],
    ] as const) {
      await put(text);
      await utimes(file(), 4e9, 4e9);
      if (guard) await writeFile(`${file()}.takeover`, '');
      if (guard) await utimes(`${file()}.takeover`, 4e9, 4e9);
      const lease = create();
      await lease.take();
      expect((await read()).owner).toBe('one');
      await lease.release();
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('is taken over although a program was killed while it did so', async () => {
    await put(held);
    await writeFile(`${file()}.takeover`, JSON.stringify(held));
    const lease = create();
    await lease.take();
    expect((await read()).owner).toBe('one');
    await lease.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('names a folder of a game that stands where a takeover is marked', async () => {
    await put(held);
    const guard = `${file()}.takeover`;
    await mkdir(guard);
    await utimes(guard, 1, 1);
    await expect(create().take()).rejects.toMatchObject({
      code: 'E_DENY_PATH',
      reason: 'project.agentFolder',
      details: { path: expect.stringMatching(/\.takeover$/) },
    });
  });

  it('follows no link and writes through none', async () => {
    const victim = path.join(folder, 'victim.txt');
    await writeFile(victim, 'user text');
    await symlink(victim, file());
    await expect(create().take()).rejects.toMatchObject({ code: 'E_DENY_PATH', reason: 'project.agentFolder' });
    expect(await readFile(victim, 'utf8')).toBe('user text');
  });

  it('is reported as lost, and acquired again when only the file is gone', async () => {
    const lease = create();
    await lease.take();
    await rm(file());
    await lease.assertHeld();
    expect((await read()).owner).toBe('one');
    await put({ ...held, pid: process.ppid });
    await expect(lease.assertHeld()).rejects.toMatchObject({ code: 'E_CONFLICT', details: { owner: 'other' } });
    await lease.release();
    // The lease of another program stays.
    expect((await read()).owner).toBe('other');
  });

  it('is free again when its process is killed', async () => {
    const program = path.join(folder, 'holder.ts');
    await writeFile(
      program,
      `import { createLease } from ${JSON.stringify(path.join(import.meta.dirname, 'lease.ts'))};
       await createLease({ folder: async () => ${JSON.stringify(folder)}, name: 'agent.lock', owner: 'child' }).take();
       process.send?.('held'); setInterval(() => {}, 1000);`,
    );
    const child = fork(program, { stdio: 'ignore' });
    await new Promise((resolve) => child.once('message', resolve));
    await expect(create().take()).rejects.toMatchObject({ details: { owner: 'child', pid: child.pid } });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
    const lease = create();
    await lease.take();
    await lease.release();
  });

  it('has one holder when many programs take it over from one that was killed while it did so', async () => {
    const program = path.join(folder, 'racer.mjs');
    const place = JSON.stringify(folder);
    await writeFile(
      program,
      `import { createLease } from ${JSON.stringify(path.join(import.meta.dirname, 'lease.ts'))};
       const lease = createLease({ folder: async () => ${place}, name: 'agent.lock', owner: 'racer ' + process.pid });
       process.on('message', async (start) => {
         if (start === 0) return process.send((await lease.release(), false));
         while (Date.now() < start);
         process.send(await lease.take().then(() => true, () => false));
       });
       process.send(true);`,
    );
    const racers = Array.from({ length: 8 }, () => fork(program, { stdio: 'ignore' }));
    const hear = () => Promise.all(racers.map((racer) => new Promise((resolve) => racer.once('message', resolve))));
    try {
      await hear();
      for (let round = 0; round < 60; round += 1) {
        await put(held);
        await writeFile(`${file()}.takeover`, JSON.stringify(held));
        const start = Date.now() + 15;
        const taken = hear();
        for (const racer of racers) racer.send(start);
        expect((await taken).filter(Boolean)).toHaveLength(1);
        const released = hear();
        for (const racer of racers) racer.send(0);
        await released;
        expect((await readdir(folder)).filter((name) => name.includes('lock'))).toEqual([]);
      }
    } finally {
      for (const racer of racers) racer.kill();
    }
  });
});
